// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys that every role has. */
public final class CommonKeys {
    public static final Key<NodeId> ID =
            Key.nodeId("id", "node", "Name of this process, unique among those of its role.");
    public static final Key<String> CLUSTER =
            Key.text("cluster", "albm", "Name of the cluster, the same on all its machines.");
    public static final Key<List<NodeAddress>> ZOOKEEPER = Key.addresses(
            "zookeeper", "127.0.0.1:2181", "ZooKeeper servers that hold membership, counters and live settings.");
    public static final Key<String> BIND = Key.text(
            "bind",
            "127.0.0.1",
            "IP address to listen on; anything but loopback needs 'insecure' until TLS is set up.");
    public static final Key<Integer> ADMIN_PORT =
            Key.integer("admin-port", 0, 0, 65_535, "Port of health, metrics and JMX; 0 takes any free one.");
    public static final Key<Path> DATA = Key.path("data", ".albm/node", "Directory of what this process keeps.");
    public static final Key<Boolean> INSECURE =
            Key.flag("insecure", "Allow to listen without TLS on an address that is not loopback.");
    public static final Key<String> LOG_FORMAT =
            Key.choice("log-format", "console", List.of("console", "json"), "How log lines on stderr look.");
    public static final Key<Duration> DRAIN_TIMEOUT = Key.duration(
            "drain-timeout",
            Duration.ofSeconds(10),
            Duration.ZERO,
            Duration.ofHours(1),
            "How long SIGTERM lets requests in flight finish.");

    private static final Set<String> NAMES =
            of(Role.AGENT, 0).stream().map(Key::name).collect(Collectors.toUnmodifiableSet());

    private CommonKeys() {}

    /** Whether every role has this key. */
    public static boolean isCommon(Key<?> key) {
        return NAMES.contains(key.name());
    }

    static List<Key<?>> of(Role role, int adminPort) {
        return List.of(
                ID.withDefault(role.id()),
                CLUSTER,
                ZOOKEEPER,
                BIND,
                ADMIN_PORT.withDefault(Integer.toString(adminPort)),
                DATA.withDefault(".albm/" + role.id()),
                INSECURE,
                LOG_FORMAT,
                DRAIN_TIMEOUT);
    }
}
