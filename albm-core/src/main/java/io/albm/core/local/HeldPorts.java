// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.net.HeldPort;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The ports of processes that do not run but will be started again at the same addresses. Thread-safe. */
final class HeldPorts implements AutoCloseable {
    /** Guarded by this. */
    private final Map<String, List<HeldPort>> held = new HashMap<>();

    /** Keeps the ports of a process that has ended. One that somebody else has taken already is left to them. */
    synchronized void hold(ClusterProcess ended) {
        release(ended.id());
        List<HeldPort> ports = new ArrayList<>();
        held.put(ended.id(), ports);
        for (NodeAddress address : ended.endpoints().values()) {
            try {
                ports.add(HeldPort.at(address));
            } catch (IOException taken) {
                // The process itself says whose it is, when it is started again.
            }
        }
    }

    /** Lets the ports of a process go; it listens on them again. */
    synchronized void release(String id) {
        List<HeldPort> ports = held.remove(id);
        if (ports != null) {
            ports.forEach(HeldPort::close);
        }
    }

    @Override
    public synchronized void close() {
        List.copyOf(held.keySet()).forEach(this::release);
    }
}
