// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.MalformedPathException;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.Outcome;
import java.util.function.Consumer;

/** Asks a store for documents as requests would. */
record WarmDocuments(DocumentStore store) implements Warming.Asker {

    @Override
    public void ask(String name, Consumer<String> end) {
        try {
            store.request(DocumentPath.ofName(name), outcome -> end.accept(ended(outcome)));
        } catch (MalformedPathException e) {
            end.accept("malformed");
        }
    }

    private static String ended(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Found found -> {
                found.document().release();
                yield "found";
            }
            case Outcome.Large large -> "too large to keep";
            case Outcome.Missing missing -> "missing";
            case Outcome.IsDirectory directory -> "missing";
            case Outcome.Busy busy -> "refused, busy";
            case Outcome.Failed failed -> "failed";
        };
    }
}
