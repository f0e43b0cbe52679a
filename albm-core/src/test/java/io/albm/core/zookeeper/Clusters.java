// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** What the tests of this package have in common. */
final class Clusters {
    /** As short as the embedded server's ticks allow. */
    static final SessionSettings SHORT = new SessionSettings(Duration.ofSeconds(1), Duration.ofSeconds(30));

    /** For what must fail without a connection. */
    static final SessionSettings IMPATIENT = new SessionSettings(Duration.ofSeconds(1), Duration.ofMillis(100));

    private Clusters() {}

    static ZooKeeperCluster connect(NodeAddress server, String name) {
        return ZooKeeperCluster.connect(server.toString(), name, SHORT);
    }

    static Member cacheServer(String id) {
        return new Member(
                new NodeId(id),
                Role.CACHE_SERVER,
                Map.of("http", new NodeAddress("127.0.0.1", 8101)),
                Map.of("host", id),
                "test",
                Instant.parse("2026-01-01T00:00:00Z"));
    }

    static CounterReport report(String node, long sequence) {
        CounterSample sample = new CounterSample(1 << 30, 0.5, 2, 0.25, 1000, 7);
        return new CounterReport(
                new NodeId(node), sample, new HostHealth.Serving(), sequence, Instant.parse("2026-01-01T00:00:00Z"));
    }

    static ConditionFactory await() {
        return Awaitility.await().pollInterval(10, TimeUnit.MILLISECONDS).atMost(30, TimeUnit.SECONDS);
    }
}
