// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.Operation;
import io.albm.core.config.ConfigException;
import io.albm.core.net.HeldPort;
import io.albm.core.node.NodeAddress;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.SessionSettings;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which nodes may serve the table, by what the cluster's ensemble and the one that they are told say. */
@Timeout(60)
class TableClaimTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final String NOBODY = "127.0.0.1:1";
    private static final byte[] NOTHING = {};

    private static EmbeddedZooKeeper first;
    private static EmbeddedZooKeeper second;

    private String name;
    private ZooKeeperCluster cluster;
    private ZooKeeperCluster other;

    @BeforeAll
    static void start(@TempDir Path dir) throws IOException {
        first = EmbeddedZooKeeper.start(dir.resolve("first"), ANY_PORT);
        second = EmbeddedZooKeeper.start(dir.resolve("second"), ANY_PORT);
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        cluster = ZooKeeperCluster.connect(first.address().toString(), name);
        other = ZooKeeperCluster.connect(second.address().toString(), name);
    }

    @AfterEach
    void disconnect() {
        cluster.close();
        other.close();
    }

    private static String own() {
        return second.address().toString();
    }

    /** What a node of the cluster that is told these servers finds out. */
    private CompletableFuture<Void> claim(String... servers) {
        TableEnsemble told = TableEnsemble.of(
                cluster,
                List.of(first.address()),
                Stream.of(servers).map(NodeAddress::parse).toList(),
                "told " + String.join(",", servers));
        return new TableClaim(told, Delay.system(), () -> false).make();
    }

    private void requireRefused(CompletableFuture<Void> claim, String... words) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(claim::join)
                .havingCause()
                .isInstanceOf(ConfigException.class)
                .withMessageContainingAll(words);
    }

    private TableHome says(ZooKeeperCluster ensemble) {
        return TableHome.read(ensemble.store()).join().orElseThrow();
    }

    private static void commit(ZooKeeperCluster ensemble, Operation operation) {
        ensemble.store().commit(List.of(operation)).join();
    }

    private static Operation leader() {
        return new Operation.Create(TablePaths.LEADER, NOTHING, false);
    }

    @Test
    void theFirstNodeDecidesAndTheOthersAreHeldAgainstIt() {
        claim(own()).join();

        claim(own()).join();
        requireRefused(claim(), "told : ", "the file table is in ZooKeeper " + own());
        requireRefused(claim(NOBODY), "told " + NOBODY, "the file table is in ZooKeeper " + own());
        assertThat(says(cluster)).isEqualTo(new TableHome(says(other).table(), own(), true));
        assertThat(says(other).elsewhere()).isFalse();
    }

    @Test
    void aTableInTheClustersEnsembleStaysThere() {
        claim().join();

        claim().join();
        requireRefused(claim(own()), "told " + own(), "the file table is in the cluster's", "albm storage move-table");
        assertThat(other.store().children("/storage").join()).isEmpty();
    }

    @Test
    void aTableFromBeforeNodesWroteItDownStaysWhereItIs() {
        commit(cluster, leader());

        requireRefused(claim(own()), "the file table is in the cluster's");
        claim().join();
    }

    @Test
    void nodesThatStartAtOnceAgree() {
        CompletableFuture<?>[] told = {claim(own()), claim(), claim(own()), claim()};
        List<Boolean> admitted = Stream.of(told)
                .map(claim ->
                        claim.handle((nothing, failure) -> failure == null).join())
                .toList();

        assertThat(admitted).isIn(List.of(true, false, true, false), List.of(false, true, false, true));
    }

    @Test
    void aListThatSharesAServerIsTheSameEnsembleAndTakesThePlaceOfTheOld() {
        claim(own()).join();

        claim(NOBODY, own()).join();
        assertThat(says(cluster).zookeeper()).isEqualTo(NOBODY + "," + own());
        claim(own()).join();
    }

    @Test
    void theServersOfTheClusterAreNoEnsembleOfItsOwn() {
        claim(first.address().toString()).join();

        claim().join();
    }

    @Test
    void theClustersEnsembleByAnotherAddressIsRefusedAndDecidesNothing() {
        requireRefused(claim("localhost:" + first.address().port()), "the cluster's ZooKeeper by another address");

        claim(own()).join();
    }

    @Test
    void anEnsembleWithTheTableOfAnotherClusterOfThatNameIsRefused() {
        commit(other, TableHome.here("of another").create());

        requireRefused(claim(own()), "another file table is there under the name " + name);
    }

    @Test
    void anEnsembleWithATableFromBeforeNodesWroteItDownIsRefused() {
        commit(other, leader());

        requireRefused(claim(own()), "another file table is there under the name " + name);
    }

    @Test
    void anEnsembleThatHasLostTheTableIsRefused() {
        claim(own()).join();
        commit(other, new Operation.Delete(TablePaths.HOME, Operation.ANY));

        requireRefused(claim(own()), "the file table is not there any more");
    }

    @Test
    void anEnsembleThatTheTableHasLeftIsRefused() {
        claim(own()).join();
        commit(other, new TableHome(says(other).table(), NOBODY, false).set(0));

        requireRefused(claim(own()), "moved from there to ZooKeeper " + NOBODY);
    }

    @Test
    void waitsForZooKeeper(@TempDir Path dir) throws IOException {
        try (HeldPort held = HeldPort.at(ANY_PORT)) {
            CompletableFuture<Void> claim = claim(held.address().toString());
            try (EmbeddedZooKeeper late = EmbeddedZooKeeper.start(dir, held.address())) {
                claim.join();
                assertThat(late.address()).isEqualTo(held.address());
            }
        }
    }

    @Test
    void endsWithTheProcess() {
        AtomicBoolean over = new AtomicBoolean();
        SessionSettings impatient = new SessionSettings(Duration.ofSeconds(6), Duration.ofMillis(100));
        ZooKeeperCluster hasty = ZooKeeperCluster.connect(first.address().toString(), name, impatient);
        TableEnsemble told = new TableEnsemble(hasty, NOBODY, "told");
        CompletableFuture<Void> claim = new TableClaim(
                        told,
                        (pause, task) -> {
                            over.set(true);
                            task.run();
                        },
                        over::get)
                .make();

        assertThat(claim.handle((nothing, failure) -> failure).join())
                .isInstanceOf(CoordinationException.Unavailable.class);
        hasty.close();
    }
}
