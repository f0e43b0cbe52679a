// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Lab;
import io.albm.bench.lab.LabHost;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.FrameServer;
import io.albm.storage.node.BlockServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** I/O nodes on hosts of a lab, and event loops on all hosts that need some. */
final class StorageHosts implements AutoCloseable {
    private static final long RECEIVE_MEMORY = 64 << 20;

    private final Map<Integer, Transport> transports = new HashMap<>();
    private final Map<NodeId, FrameServer> servers = new LinkedHashMap<>();

    private StorageHosts() {}

    /** @param directory of their blocks */
    static StorageHosts start(Lab lab, Scene scene, Path directory) throws IOException {
        StorageHosts hosts = new StorageHosts();
        for (int rank = 0; rank < Scene.RANKS; rank++) {
            hosts.open(lab.host(rank + 1));
        }
        hosts.open(lab.host(scene.bystander()));
        for (int number : scene.storageHosts()) {
            LabHost host = lab.host(number);
            Transport transport = hosts.open(host);
            NodeAddress any = new NodeAddress(host.address().getHostAddress(), 0);
            NodeId node = new NodeId("n-" + number);
            hosts.servers.put(
                    node,
                    host.call(() -> BlockServer.open(transport, any, directory.resolve(node.value()), RECEIVE_MEMORY)));
        }
        return hosts;
    }

    /** A loop is in the network of the thread that gives it its first task. */
    private Transport open(LabHost host) throws IOException {
        Transport known = transports.get(host.number());
        if (known != null) {
            return known;
        }
        Transport opened = host.call(() -> {
            Transport transport = Transport.open(1);
            transport.eventLoops().next().submit(() -> {}).syncUninterruptibly();
            return transport;
        });
        transports.put(host.number(), opened);
        return opened;
    }

    /** Of a rank's host. */
    Transport transport(int rank) {
        return Objects.requireNonNull(transports.get(rank + 1));
    }

    /** Of a host that runs neither ranks nor I/O nodes, for the coordinator. */
    Transport coordinator(Scene scene) {
        return Objects.requireNonNull(transports.get(scene.bystander()));
    }

    /** Where I/O nodes listen. */
    Map<NodeId, NodeAddress> addresses() {
        Map<NodeId, NodeAddress> addresses = new LinkedHashMap<>();
        servers.forEach((node, server) -> addresses.put(node, server.address()));
        return addresses;
    }

    @Override
    public void close() {
        servers.values().forEach(FrameServer::close);
        transports.values().forEach(Transport::close);
    }
}
