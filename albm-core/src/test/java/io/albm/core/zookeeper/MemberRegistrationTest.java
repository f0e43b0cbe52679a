// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static io.albm.core.zookeeper.Clusters.await;
import static io.albm.core.zookeeper.Clusters.cacheServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cluster.DuplicateNodeException;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Registration;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a node id whose entry is there already. The holder's session stays open unless the test ends it. */
final class MemberRegistrationTest {
    private static final String PATH = "/members/cache-server/cache-1";
    private static final ProcessToken SELF = ProcessToken.ofThisProcess(ProcessTable.ofThisMachine());

    private static EmbeddedZooKeeper server;

    private ZooKeeperCluster holder;
    private ZooKeeperCluster newcomer;

    @BeforeAll
    static void startServer(@TempDir Path data) throws Exception {
        server = EmbeddedZooKeeper.start(data, new NodeAddress("127.0.0.1", 0));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        holder = Clusters.connect(server.address(), name);
        newcomer = Clusters.connect(server.address(), name);
    }

    @AfterEach
    void disconnect() {
        holder.close();
        newcomer.close();
    }

    @Test
    void takesOverAtOnceFromAProcessOfThisMachineThatEnded() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        enter(new ProcessToken(SELF.boot(), SELF.pidNamespace(), SELF.uid(), ended.pid(), 1, "ended"));

        newcomer.join(cacheServer("cache-1")).registered().join();

        assertThat(owner().instance()).isNotEqualTo("ended");
    }

    @Test
    void refusesAtOnceWhileAProcessOfThisMachineRuns() throws Exception {
        Process running = new ProcessBuilder("sleep", "1000").start();
        try {
            long startTicks =
                    ProcessTable.ofThisMachine().startTicks(running.pid()).orElseThrow();
            enter(new ProcessToken(SELF.boot(), SELF.pidNamespace(), SELF.uid(), running.pid(), startTicks, "running"));
            Registration registration = newcomer.join(cacheServer("cache-1"));
            assertThatThrownBy(() -> registration.registered().get())
                    .hasCauseInstanceOf(DuplicateNodeException.class)
                    .hasMessageContaining("process " + running.pid());
            assertThat(owner().instance()).isEqualTo("running");
        } finally {
            running.destroyForcibly();
        }
    }

    @Test
    void waitsUntilTheSessionOfAnotherMachineEnds() {
        enter(new ProcessToken("another boot", "", 0, 1, 1, "elsewhere"));
        Registration registration = newcomer.join(cacheServer("cache-1"));
        assertThat(newcomer.members(Role.CACHE_SERVER).loaded().join()).hasSize(1);
        assertThat(registration.registered()).isNotDone();

        holder.close();

        registration.registered().join();
        await().until(() -> newcomer.members(Role.CACHE_SERVER).get().size() == 1);
    }

    @Test
    void comesBackWhenSomebodyDeletesItsEntry() {
        newcomer.join(cacheServer("cache-1")).registered().join();
        holder.store()
                .commit(List.of(new Operation.Delete(PATH, Operation.ANY)))
                .join();
        await().until(() -> holder.store().read(PATH).join().isPresent());
    }

    private void enter(ProcessToken process) {
        byte[] entry = new MemberEntry(cacheServer("cache-1"), process).toBytes();
        holder.store().commit(List.of(new Operation.Create(PATH, entry, true))).join();
    }

    private ProcessToken owner() {
        return MemberEntry.parse(
                        newcomer.store().read(PATH).join().orElseThrow().data())
                .process();
    }
}
