// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.source.Coding;
import io.albm.cache.source.DocumentPath;
import io.albm.core.http.Field;
import io.albm.core.http.RequestHead;
import io.albm.core.time.MonotonicClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * In which codings to ask for a document, and in what order. Remembers what clients of this loop accept, by the field's
 * text, and which documents are not there in which coding, so that a request for a document without variants does not ask
 * for them again and again. Both memories are bounded; what is asked for least recently is forgotten, and long names,
 * which clients choose, are not remembered as absent. Confined to one event loop.
 */
final class Negotiation {
    private static final int MOST_ACCEPTS = 64;
    private static final int MOST_ABSENT = 10_000;
    private static final int LONGEST_ABSENT = 256;
    private static final Duration ABSENT = Duration.ofSeconds(10);
    private static final List<Coding> PLAIN = List.of(Coding.IDENTITY);

    private final MonotonicClock clock;
    private final Map<String, List<Coding>> accepts = bounded(MOST_ACCEPTS);
    private final Map<DocumentPath, Long> absentSince = bounded(MOST_ABSENT);

    Negotiation(MonotonicClock clock) {
        this.clock = clock;
    }

    private static <K, V> Map<K, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** The codings to try; empty if the client accepts none at all. */
    List<Coding> codings(RequestHead request, DocumentPath path) {
        if (!request.has(Field.ACCEPT_ENCODING) || !ContentTypes.isCompressible(path.value())) {
            return PLAIN;
        }
        String value = request.value(Field.ACCEPT_ENCODING);
        return value == null
                ? AcceptedCodings.of(request)
                : accepts.computeIfAbsent(value, unknown -> AcceptedCodings.of(request));
    }

    /** A document was not there in that coding. */
    void isAbsent(DocumentPath path) {
        if (path.value().length() <= LONGEST_ABSENT) {
            absentSince.put(path, clock.nanoTime());
        }
    }

    /** Whether it was not there a short while ago. */
    boolean wasAbsent(DocumentPath path) {
        Long since = absentSince.get(path);
        return since != null && clock.nanoTime() - since < ABSENT.toNanos();
    }
}
