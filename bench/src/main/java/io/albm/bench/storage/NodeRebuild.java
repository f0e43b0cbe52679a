// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.AdminPort;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Roles;
import io.albm.core.cli.CliException;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/** A node with an empty disk that makes again what it should have, as its metrics tell. */
final class NodeRebuild {
    private static final String BYTES = "albm_storage_used_bytes";
    private static final String LEFT = "albm_storage_degraded_stripes";
    private static final Duration BEGIN_BOUND = Duration.ofSeconds(30);
    private static final Duration END_BOUND = Duration.ofMinutes(5);

    /** A node that tells its metrics a hundred times a second rebuilds with what is left of its processor. */
    private static final Duration POLL = Duration.ofMillis(250);

    private final ChildProcess node;
    private final NodeAddress admin;

    NodeRebuild(ChildProcess node) {
        this.node = node;
        this.admin = Roles.endpoint(node, "admin");
    }

    /** Bytes of blocks on the node. */
    long bytes() throws IOException {
        return values().getOrDefault(BYTES, 0.0).longValue();
    }

    /** Whether stripes lack its unit. */
    boolean isUnderWay() {
        try {
            return values().getOrDefault(LEFT, 0.0) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until it has begun.
     *
     * @throws CliException if it does not within 30 s
     */
    void awaitBegin() {
        node.await("rebuilding", BEGIN_BOUND, POLL, this::isUnderWay);
    }

    /**
     * Waits until it is done.
     *
     * @throws CliException if it is not within five minutes
     */
    void awaitEnd() {
        node.await("rebuilt", END_BOUND, POLL, () -> !isUnderWay());
    }

    /** Watches it from now to its end. */
    Tally run() throws IOException {
        long before = bytes();
        long begin = System.nanoTime();
        awaitEnd();
        long end = System.nanoTime();
        return new Tally(bytes() - before, begin, end);
    }

    private Map<String, Double> values() throws IOException {
        return AdminPort.values(admin);
    }
}
