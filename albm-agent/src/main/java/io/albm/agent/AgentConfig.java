// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.cgroup.CgroupLayout;
import io.albm.core.cgroup.ContainerGroups;
import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Counter;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.node.Thresholds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What an agent can be told. */
final class AgentConfig {
    static final Key<String> HOST = Key.text(
            "host",
            "",
            "Id under which the counters are published; servers on this machine name it as their host. Empty: the"
                    + " agent's own id.");
    static final Key<Duration> SAMPLE_INTERVAL = Key.duration(
            "sample-interval",
            Duration.ofMillis(250),
            Duration.ofMillis(10),
            Duration.ofMinutes(1),
            "Time between two samples.");
    static final Key<Duration> PUBLISH_PERIOD = Key.duration(
            "publish-period",
            Duration.ofSeconds(1),
            Duration.ofMillis(10),
            Duration.ofMinutes(1),
            "Shortest time between two reports, however much changes.");
    static final Key<Duration> HEARTBEAT = Key.duration(
            "heartbeat",
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            Duration.ofMinutes(10),
            "Longest time between two reports, though nothing changes.");
    static final Key<String> NETWORK_INTERFACES = Key.text(
            "network-interfaces",
            "",
            "Interfaces whose bytes count, with commas between them. Empty: every one but loopback.");
    static final Key<String> CGROUP = Key.text(
            "cgroup",
            "",
            "Directory of the memory control group (v1 or v2) of the container whose limits of memory and CPU hold for"
                    + " the servers on this host. Empty: none.");
    static final Key<Integer> CONTAINER_PID = Key.integer(
            "container-pid",
            0,
            0,
            Integer.MAX_VALUE,
            "Process in the container whose limits hold, instead of 'cgroup'. 0: none.");

    static final int NO_PORT = -1;
    static final Key<Integer> AGENT_CHECK_PORT = Key.integer(
            "agent-check-port",
            NO_PORT,
            NO_PORT,
            65_535,
            "Port on which HAProxy's agent-check is answered; 0 takes any free one, -1 answers none.");
    static final Key<Integer> AGENT_CHECK_MAX_CONNECTIONS = Key.integer(
            "agent-check-max-connections",
            0,
            0,
            1_000_000,
            "Connections that this host takes at its full share; the agent-check asks for its share of them. 0 does"
                    + " not say.");
    static final Key<String> THRESHOLDS = Key.text(
            "thresholds",
            ThresholdSettings.text(Thresholds.OF_PAPER),
            "counter=relieve:recover with commas between, as the distributors have them; what the cluster sets live"
                    + " goes before. For agent-check and ORCA reports.");

    static final ConfigSchema SCHEMA = ConfigSchema.of(
            Role.AGENT,
            9400,
            HOST,
            SAMPLE_INTERVAL,
            PUBLISH_PERIOD,
            HEARTBEAT,
            NETWORK_INTERFACES,
            CGROUP,
            CONTAINER_PID,
            AGENT_CHECK_PORT,
            AGENT_CHECK_MAX_CONNECTIONS,
            THRESHOLDS);

    /** Reads {@link #HOST} when it is not empty. */
    private static final Key<NodeId> HOST_ID = Key.nodeId("host", "host", HOST.doc());

    private AgentConfig() {}

    static NodeId host(Configuration configuration, NodeId self) {
        String host = configuration.get(HOST).strip();
        return host.isEmpty() ? self : HOST_ID.parse(host, configuration.origin(HOST));
    }

    static DeadBand deadBand(Configuration configuration) {
        Duration period = configuration.get(PUBLISH_PERIOD);
        Duration heartbeat = configuration.get(HEARTBEAT);
        if (heartbeat.compareTo(period) < 0) {
            throw new ConfigException("heartbeat = " + heartbeat.toMillis() + " ms: expected at least publish-period, "
                    + period.toMillis() + " ms");
        }
        return new DeadBand(
                Arrays.stream(Counter.values()).map(Counter::tolerance).toList(), period, heartbeat);
    }

    static Thresholds thresholds(Configuration configuration) {
        try {
            return ThresholdSettings.parse(configuration.get(THRESHOLDS));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("thresholds (" + configuration.origin(THRESHOLDS) + "): " + e.getMessage(), e);
        }
    }

    /** The kernel files of this host; fails if the container that is named has no memory control group. */
    static HostFiles files(Configuration configuration) {
        return new HostFiles(
                Path.of("/proc"),
                Path.of("/sys"),
                container(configuration),
                InterfaceFilter.of(names(configuration.get(NETWORK_INTERFACES))));
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static Optional<ContainerGroups> container(Configuration configuration) {
        String directory = configuration.get(CGROUP);
        int pid = configuration.get(CONTAINER_PID);
        if (directory.isEmpty()) {
            return pid == 0 ? Optional.empty() : Optional.of(containerOf(pid));
        }
        if (pid != 0) {
            throw new ConfigException("cgroup = '" + directory + "' and container-pid = " + pid
                    + " both name the container: expected only one of them");
        }
        return Optional.of(containerAt(directory));
    }

    private static ContainerGroups containerAt(String directory) {
        try {
            return CgroupLayout.ofThisMachine().groupsAt(Path.of(directory));
        } catch (IOException e) {
            throw new ConfigException("cgroup = '" + directory + "': the control groups cannot be read here", e);
        }
    }

    private static ContainerGroups containerOf(int pid) {
        try {
            ContainerGroups groups = CgroupLayout.ofThisMachine().groupsOf(pid);
            if (groups.memory().isEmpty()) {
                throw new ConfigException("container-pid = " + pid + ": its memory control group is not visible here");
            }
            return groups;
        } catch (IOException e) {
            throw new ConfigException("container-pid = " + pid + ": expected a running process", e);
        }
    }
}
