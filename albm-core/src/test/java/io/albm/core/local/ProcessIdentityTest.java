// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    private final Process obedient = start("exec sleep 600");
    private final Process stubborn = start("trap '' TERM; echo trapped; while :; do sleep 1; done");

    @BeforeEach
    void awaitTrap() throws IOException {
        assertThat(stubborn.inputReader().readLine()).isEqualTo("trapped");
    }

    @AfterEach
    void end() {
        obedient.destroyForcibly();
        stubborn.destroyForcibly();
    }

    @Test
    void aProcessIsAliveUntilItEnds() throws Exception {
        ProcessIdentity identity = ProcessIdentity.of(obedient.pid()).orElseThrow();
        assertThat(identity.isAlive()).isTrue();
        identity.terminate();
        obedient.waitFor();
        await().until(() -> !identity.isAlive());
    }

    @Test
    void anotherProcessWithThePidIsLeftAlone() {
        ProcessIdentity former = new ProcessIdentity(obedient.pid(), 1);
        assertThat(former.isAlive()).isFalse();
        former.kill();
        assertThat(obedient.isAlive()).isTrue();
    }

    @Test
    void noProcessHasNoIdentity() {
        assertThat(ProcessIdentity.of(Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void shutdownKillsOnlyWhatDoesNotEndByItself() {
        List<ClusterProcess> processes = List.of(
                recorded("obedient", Role.CACHE_SERVER, obedient), recorded("stubborn", Role.ZOOKEEPER, stubborn));
        assertThat(Shutdown.stop(processes, Duration.ofMillis(500)))
                .extracting(ClusterProcess::id)
                .containsExactly("stubborn");
        assertThat(ClusterFile.alive(processes)).isEmpty();
    }

    private static ClusterProcess recorded(String id, Role role, Process process) {
        long startTicks = ProcessIdentity.of(process.pid()).orElseThrow().startTicks();
        return new ClusterProcess(id, role, process.pid(), startTicks, Map.of(), "");
    }

    private static Process start(String script) {
        try {
            return new ProcessBuilder("sh", "-c", script).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
