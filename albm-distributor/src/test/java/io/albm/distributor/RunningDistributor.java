// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.core.json.Json;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.time.MonotonicClock;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** A distributor as the launcher would run it, but for signals. */
final class RunningDistributor implements AutoCloseable {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    final Transport transport = Transport.open(2);
    final Health health = new Health(InstantSource.system());
    final ZooKeeperCluster cluster;
    final Metrics metrics;
    final AdminServer admin;
    final RoleService service;
    final URI http;

    /** Closes the cluster, too. */
    RunningDistributor(ZooKeeperCluster cluster, Path data, Map<String, String> settings) throws Exception {
        this.cluster = cluster;
        var all = new HashMap<>(Map.of(
                "port", "0",
                "id", "distributor-1",
                "check-interval", "20 ms",
                "threshold-sample-period", "10 ms",
                "relief-min-time-out", "0 s",
                "slow-start", "0 s"));
        all.putAll(settings);
        Configuration configuration = Configuration.load(DistributorConfig.schema(), Sources.commandLine(all));
        NodeId id = configuration.get(CommonKeys.ID);
        metrics = new Metrics(Role.DISTRIBUTOR, id);
        admin = new AdminServer(transport, ANY_PORT, Role.DISTRIBUTOR, id, health, metrics);
        var context = new RoleContext(
                Role.DISTRIBUTOR,
                configuration,
                cluster,
                metrics,
                transport,
                health,
                admin,
                MonotonicClock.system(),
                data);
        try {
            service = new DistributorRole().create(context);
            http = URI.create("http://" + service.start().endpoint("http").orElseThrow() + "/");
        } catch (Exception refused) {
            closeSurroundings();
            throw refused;
        }
    }

    /** What it says on an admin route. */
    JsonNode admin(String path) throws IOException {
        try (InputStream in =
                URI.create("http://" + admin.address() + path).toURL().openStream()) {
            return Json.tree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        service.close();
        closeSurroundings();
    }

    private void closeSurroundings() {
        admin.close();
        cluster.close();
        metrics.close();
        transport.close();
    }
}
