// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.core.cluster.Cluster;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A policy of the distributor, chosen live, through the cluster, as {@code albm policy} does.
 *
 * @param name of the policy
 * @param cluster that the distributor has joined
 * @param http where the distributor serves
 * @param admin its admin port, which tells the policy in force
 */
record OurPolicy(String name, Cluster cluster, NodeAddress http, NodeAddress admin) implements Variant {
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int POLL_MILLIS = 50;

    @Override
    public boolean rival() {
        return false;
    }

    @Override
    public NodeAddress select() throws InterruptedException {
        cluster.configure("distributor", "policy", name).join();
        long deadline = System.nanoTime() + BOUND_NANOS;
        while (!inForce().equals(name)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the distributor routes by " + inForce() + ", not by " + name);
            }
            Thread.sleep(POLL_MILLIS);
        }
        return http;
    }

    private String inForce() {
        try (InputStream in = URI.create("http://" + admin + "/routing").toURL().openStream()) {
            return Json.tree(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .path("policy")
                    .asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
