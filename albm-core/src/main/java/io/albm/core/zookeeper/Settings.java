// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import com.fasterxml.jackson.core.type.TypeReference;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.cluster.View;
import io.albm.core.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live settings of one scope: one node with a JSON object, so that a reader never sees half of a change. A change is
 * read, edited and written on the condition that nobody else wrote meanwhile.
 */
final class Settings {
    private static final Logger log = LoggerFactory.getLogger(Settings.class);
    private static final Pattern SCOPE = Pattern.compile("[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?");
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    /** Each lost race means that somebody else's change went through: so many in a row are a fault, not a race. */
    private static final int ATTEMPTS = 20;

    private final CoordinationStore store;
    private final String path;

    Settings(CoordinationStore store, String scope) {
        if (!SCOPE.matcher(scope).matches()) {
            throw new IllegalArgumentException(
                    "scope '" + scope + "': expected one or two names of a-z, 0-9 and '-', such as drain/cache-1");
        }
        this.store = store;
        this.path = "/config/" + scope;
    }

    View<Map<String, String>> follow(Dispatcher dispatcher) {
        LastValue<Map<String, String>> view = new LastValue<>(dispatcher, Map.of());
        Repeater repeater = new Repeater(
                "settings " + path,
                dispatcher,
                () -> store.read(path).thenAcceptAsync(node -> show(view, node), dispatcher));
        store.watch(path, repeater::kick);
        return view;
    }

    private void show(LastValue<Map<String, String>> view, Optional<Versioned> node) {
        try {
            view.set(Map.copyOf(parse(node)));
        } catch (RuntimeException e) {
            log.error("settings {} cannot be read, the last ones stay: {}", path, e.getMessage());
        }
    }

    CompletableFuture<Void> change(UnaryOperator<Map<String, String>> change) {
        return change(change, ATTEMPTS);
    }

    private CompletableFuture<Void> change(UnaryOperator<Map<String, String>> change, int attempts) {
        return store.read(path).thenCompose(node -> {
            Map<String, String> before = parse(node);
            Map<String, String> after = change.apply(before);
            return after.equals(before)
                    ? CompletableFuture.completedFuture(null)
                    : write(node, after).exceptionallyCompose(failure -> {
                        Throwable cause = ZooKeeperFailure.cause(failure);
                        return attempts > 1 && overtaken(cause)
                                ? change(change, attempts - 1)
                                : CompletableFuture.failedFuture(cause);
                    });
        });
    }

    private CompletableFuture<Void> write(Optional<Versioned> before, Map<String, String> settings) {
        byte[] content = Json.bytes(new TreeMap<>(settings));
        Operation write = before.<Operation>map(node -> new Operation.Set(path, content, node.version()))
                .orElseGet(() -> new Operation.Create(path, content, false));
        return store.commit(List.of(write));
    }

    /** After an unknown outcome the next read tells whether there is anything left to do. */
    private static boolean overtaken(Throwable failure) {
        return failure instanceof CoordinationException.VersionConflict
                || failure instanceof CoordinationException.NodeExists
                || failure instanceof CoordinationException.OutcomeUnknown;
    }

    private static Map<String, String> parse(Optional<Versioned> node) {
        return node.filter(found -> found.data().length > 0)
                .map(found -> Json.read(found.data(), TEXTS))
                .orElse(Map.of());
    }
}
