// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.cgroup.ContainerGroups;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.core.node.NodeId;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AgentConfigTest {
    private static final NodeId SELF = new NodeId("agent-1");

    @Test
    void publishesUnderItsOwnIdUnlessTheHostIsNamed() {
        assertThat(AgentConfig.host(configuration(Map.of()), SELF)).isEqualTo(SELF);
        assertThat(AgentConfig.host(configuration(Map.of("host", "cache-1")), SELF))
                .isEqualTo(new NodeId("cache-1"));
    }

    @Test
    void aHostThatIsNoIdIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> AgentConfig.host(configuration(Map.of("host", "Cache 1")), SELF))
                .withMessageContaining("host = 'Cache 1' (command line --host)");
    }

    @Test
    void theContainerIsNamedByDirectoryOrByProcess() {
        assertThat(AgentConfig.files(configuration(Map.of())).container()).isEmpty();
        assertThat(AgentConfig.files(configuration(Map.of("cgroup", "/elsewhere/job")))
                        .container()
                        .flatMap(ContainerGroups::memory))
                .contains(Path.of("/elsewhere/job"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> AgentConfig.files(configuration(Map.of("cgroup", "/a", "container-pid", "1"))))
                .withMessageContaining("expected only one of them");
    }

    @Test
    void aProcessThatDoesNotRunIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() ->
                        AgentConfig.files(configuration(Map.of("container-pid", Integer.toString(Integer.MAX_VALUE)))))
                .withMessageContaining("expected a running process");
    }

    @Test
    void aHeartbeatShorterThanThePeriodIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(
                        () -> AgentConfig.deadBand(configuration(Map.of("publish-period", "5s", "heartbeat", "1s"))))
                .withMessageContaining("expected at least publish-period");
    }

    private static Configuration configuration(Map<String, String> commandLine) {
        return Configuration.load(AgentConfig.SCHEMA, new Sources(commandLine, Map.of(), Optional.empty()));
    }
}
