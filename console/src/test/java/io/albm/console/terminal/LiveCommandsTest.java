// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.node.Role;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class LiveCommandsTest extends CommandHarness {
    @Test
    void changesThePolicyToOneThatEveryDistributorHas() {
        distributor("d-1", "albm-threshold,least-connections,round-robin");
        distributor("d-2", "albm-threshold,round-robin");

        assertThat(run(new PolicyCommand(), "round-robin")).isEqualTo(ExitCode.DONE);
        awaitSettings("distributor", Map.of("policy", "round-robin"));
        assertThat(run(new PolicyCommand())).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("policy: round-robin", "known:  albm-threshold, round-robin");

        assertThat(run(new PolicyCommand(), "least-connections")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new PolicyCommand(), "round-robbin")).isEqualTo(ExitCode.USAGE);
        assertThat(errors()).contains("unknown policy 'round-robbin'", "did you mean 'round-robin'?");

        assertThat(run(new PolicyCommand(), "--reset")).isEqualTo(ExitCode.DONE);
        awaitSettings("distributor", Map.of());
    }

    @Test
    void refusesAPolicyWhileNoDistributorRuns() {
        assertThat(run(new PolicyCommand(), "round-robin")).isEqualTo(ExitCode.REFUSED);
        assertThat(errors()).contains("no distributor is running");
    }

    @Test
    void changesBothLevelsOfAThresholdTogether() {
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "100MiB", "130MiB"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run(new ThresholdCommand(), "set", "memory-pressure", "30%", "10%"))
                .isEqualTo(ExitCode.DONE);
        awaitSettings(
                "distributor",
                Map.of(
                        "threshold.available-memory.relieve", "100MiB",
                        "threshold.available-memory.recover", "130MiB",
                        "threshold.memory-pressure.relieve", "0.3",
                        "threshold.memory-pressure.recover", "0.1"));
        assertThat(run(new ThresholdCommand(), "ls")).isEqualTo(ExitCode.DONE);
        assertThat(output().lines())
                .anyMatch(line -> line.matches("available-memory +100MiB +130MiB .*"))
                .anyMatch(line -> line.matches("cpu-busy +- +- .*"));

        assertThat(run(new ThresholdCommand(), "reset", "memory-pressure")).isEqualTo(ExitCode.DONE);
        awaitSettings(
                "distributor",
                Map.of(
                        "threshold.available-memory.relieve", "100MiB",
                        "threshold.available-memory.recover", "130MiB"));
        assertThat(run(new ThresholdCommand(), "reset")).isEqualTo(ExitCode.DONE);
        awaitSettings("distributor", Map.of());
    }

    @Test
    void refusesLevelsThatMakeNoSense() {
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "100MiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "2GiB", "1GiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "much", "1GiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "avail-memory", "1GiB", "1GiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "cpu-busy", "80%", "95%")).isEqualTo(ExitCode.USAGE);
        assertThat(errors())
                .contains(
                        "RECOVER",
                        "relieve at most recover",
                        "'much'",
                        "did you mean 'available-memory'?",
                        "relieve at least recover");
    }

    @Test
    void drainsMembersAndPutsThemBack() {
        join(Role.CACHE_SERVER, "cache-1", Map.of(), Map.of());

        assertThat(run(new DrainCommand(), "cache-1")).isEqualTo(ExitCode.DONE);
        Awaitility.await()
                .until(() -> cluster.configuration("drain/cache-1").get(), drain -> drain.containsKey("since"));
        assertThat(run(new DrainCommand(), "cache-2")).isEqualTo(ExitCode.USAGE);
        assertThat(errors()).contains("there is no cache server 'cache-2'", "did you mean 'cache-1'?");

        assertThat(run(new UndrainCommand(), "cache-1")).isEqualTo(ExitCode.DONE);
        awaitSettings("drain/cache-1", Map.of());
        assertThat(run(new UndrainCommand(), "cache-1")).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("cache-1: serves again", "cache-1: was not drained");
        assertThat(run(new UndrainCommand(), "No Such")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void callsNoClusterHealthyOfWhichNobodyIsThere() {
        assertThat(run(new StatusCommand())).isEqualTo(ExitCode.DEGRADED);
        assertThat(output()).contains("DEGRADED", "no process of cluster");
    }

    @Test
    void looksAtLeastOnceAndNotWithoutAPause() {
        assertThat(run(new TopCommand(), "--count", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new TopCommand(), "--interval", "0 s", "--count", "1")).isEqualTo(ExitCode.USAGE);
        assertThat(errors()).contains("--count 0: expected 1 or more", "--interval '0 s'");
    }

    private void distributor(String id, String policies) {
        join(Role.DISTRIBUTOR, id, Map.of(), Map.of("policies", policies));
    }

    private void awaitSettings(String scope, Map<String, String> expected) {
        Awaitility.await().until(() -> cluster.configuration(scope).get(), expected::equals);
    }
}
