// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cluster.Cluster;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What a distributor does with requests, changed live through the cluster, as {@code albm policy} does.
 *
 * @param cluster that the distributor has joined
 * @param admin its admin port, which tells what is in force
 */
public record LiveRouting(Cluster cluster, NodeAddress admin) {
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int POLL_MILLIS = 50;

    /** Lets it route by that policy, and waits until it does. */
    public void choose(String policy) throws InterruptedException {
        cluster.configure("distributor", "policy", policy).join();
        await("routes by " + policy, routing -> routing.path("policy").asText().equals(policy));
    }

    /** Waits until it has that many backends, and all of them take requests. */
    public void awaitBackends(int count) throws InterruptedException {
        await("has " + count + " backends that take requests", routing -> {
            JsonNode backends = routing.path("backends");
            long up = backends.valueStream()
                    .filter(backend -> backend.path("health").asText().equals("up"))
                    .count();
            return backends.size() == count && up == count;
        });
    }

    private void await(String what, Predicate<JsonNode> condition) throws InterruptedException {
        long deadline = System.nanoTime() + BOUND_NANOS;
        while (!condition.test(routing())) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "not so within 20 s: the distributor " + what + "; it says " + routing());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private JsonNode routing() {
        try (InputStream in = URI.create("http://" + admin + "/routing").toURL().openStream()) {
            return Json.tree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
