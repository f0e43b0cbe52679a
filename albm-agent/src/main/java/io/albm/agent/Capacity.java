// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.node.NodeId;
import java.io.IOException;
import java.util.Map;

/**
 * What a host, or the container on it, has in all; an agent's member attributes say it.
 *
 * @param memoryBytes of the host, or the container's limit if that is less
 * @param processors of the host, or the container's CPU limit if that is less; 0.5 is half of one
 */
record Capacity(long memoryBytes, double processors) {
    static Capacity of(HostFiles files) throws IOException {
        return new Capacity(AvailableMemory.totalBytes(files), Processors.capacity(files));
    }

    Map<String, String> attributes(NodeId host) {
        return Map.of(
                "host", host.value(),
                "memory-bytes", Long.toString(memoryBytes),
                "processors", Double.toString(processors));
    }
}
