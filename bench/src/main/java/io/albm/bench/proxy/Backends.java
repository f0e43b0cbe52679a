// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.process.ProcessGroup;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The two servers behind every proxy.
 *
 * @param first the one
 * @param second the other
 */
record Backends(NodeAddress first, NodeAddress second) {
    private static final Duration START_BOUND = Duration.ofSeconds(30);

    /** Starts them, in one process of their own. */
    static Backends start(ProcessGroup processes) throws IOException {
        String ready = processes
                .startJava("backends", List.of("-Xmx128m", "-XX:+UseSerialGC"), StaticServer.class)
                .awaitReady(START_BOUND);
        List<NodeAddress> addresses =
                Arrays.stream(ready.split(",", -1)).map(NodeAddress::parse).toList();
        return new Backends(addresses.getFirst(), addresses.getLast());
    }
}
