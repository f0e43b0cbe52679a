// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.job.SupervisorRegistration.Holder;
import io.albm.checkpoint.protocol.Interval;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.RankHosts;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.Operation;
import io.albm.core.node.NodeAddress;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Supervisors of one job with a real ZooKeeper, which forgets their records as it does at the end of a session. */
@Timeout(60)
class SupervisorRegistrationTest {
    private static final String JOB = "job";
    private static final NodeAddress ADDRESS = new NodeAddress("127.0.0.1", 7000);
    private static final JobSpec SPEC =
            new JobSpec(JOB, 1, new Interval.Fixed(1000), 500, 60_000, 60_000, "coordinated", 1, 2, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final JobPaths paths = new JobPaths(JOB);
    private EmbeddedZooKeeper zooKeeper;
    private ZooKeeperCluster cluster;
    private JobStore store;

    @BeforeEach
    void start(@TempDir Path dir) throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(dir, new NodeAddress("127.0.0.1", 0));
        cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "test");
        store = new JobStore(cluster.store(), JOB);
    }

    @AfterEach
    void stop() {
        cluster.close();
        zooKeeper.close();
    }

    @Test
    void whoeverWritesTheRecordHoldsIt() {
        assertThat(registration("a").claim()).succeedsWithin(PATIENCE).isEqualTo(new Holder.Us(1));
    }

    @Test
    void theRecordOfADeadProcessOfThisMachineIsReplacedAtOnce() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        SupervisorAddress before = new SupervisorAddress(ADDRESS, "a", dead.pid());
        claim(new SupervisorRegistration(cluster.store(), JOB, before));
        assertThat(registration("b").claim())
                .as("from another machine it may be alive")
                .succeedsWithin(PATIENCE)
                .isEqualTo(new Holder.Another(before.withRun(1)));
        assertThat(registration("a").claim()).succeedsWithin(PATIENCE).isEqualTo(new Holder.Us(2));
    }

    @Test
    void aRecordThatALostSessionTookIsWrittenAgainAsThatOfTheSameRun() {
        SupervisorRegistration registration = registration("a");
        assertThat(claim(registration)).isEqualTo(new Holder.Us(1));
        forget(paths.supervisor());
        assertThat(registration.renew(1).join()).isEmpty();
        assertThat(registration.claim().join()).isEqualTo(new Holder.Us(1));
        assertThat(store.recordPlacement(RankHosts.NONE, 1))
                .as("the run may still place its ranks")
                .succeedsWithin(PATIENCE);
    }

    @Test
    void aRecordThatIsThereIsKept() {
        SupervisorRegistration registration = registration("a");
        claim(registration);
        assertThat(registration.renew(1).join()).isEmpty();
        assertThat(registration.claim().join()).isEqualTo(new Holder.Us(1));
    }

    @Test
    void whoeverHasTheRecordNowIsNamed() {
        SupervisorRegistration cutOff = registration("a");
        claim(cutOff);
        forget(paths.supervisor());
        assertThat(claim(registration("b"))).isEqualTo(new Holder.Us(2));
        assertThat(cutOff.renew(1).join()).hasValue("was taken over by process 1 on b");
    }

    @Test
    void doesNotGoOnBehindARunThatHasBegunAndEndedMeanwhile() {
        SupervisorRegistration cutOff = registration("a");
        claim(cutOff);
        forget(paths.supervisor());
        claim(registration("b"));
        forget(paths.supervisor());
        assertThat(cutOff.renew(1).join()).hasValue("was taken over by a supervisor that registered later");
        assertThat(cluster.store().read(paths.supervisor()).join()).isEmpty();
        assertThat(store.run().join()).isEqualTo(2);
    }

    @Test
    void doesNotGoOnWithAJobThatWasRemovedMeanwhile() {
        store.create(SPEC).join();
        SupervisorRegistration cutOff = registration("a");
        claim(cutOff);
        forget(paths.supervisor());
        store.remove().join();
        assertThat(cutOff.renew(1).join()).hasValue("was removed");
        assertThat(cluster.store().read(paths.spec()).join()).isEmpty();
    }

    @Test
    void doesNotGoOnWithALaterJobOfThatName() {
        store.create(SPEC).join();
        SupervisorRegistration cutOff = registration("a");
        claim(cutOff);
        forget(paths.supervisor());
        store.remove().join();
        store.create(SPEC).join();
        assertThat(cutOff.renew(1).join()).hasValue("was taken over by a supervisor that registered later");
        assertThat(cluster.store().read(paths.supervisor()).join()).isEmpty();
    }

    @Test
    void doesNotFinishTheRunOfAnother() {
        store.create(SPEC).join();
        claim(registration("a"));
        forget(paths.supervisor());
        claim(registration("b"));
        assertThat(store.finish(1))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(CoordinationException.VersionConflict.class);
        assertThat(store.isFinished().join()).isFalse();
        assertThat(store.finish(2)).succeedsWithin(PATIENCE);
    }

    @Test
    void doesNotMakeARecordOfAJobThatWasRemovedMeanwhile() {
        store.create(SPEC).join();
        claim(registration("a"));
        forget(paths.supervisor());
        store.remove().join();
        assertThat(store.finish(1)).failsWithin(PATIENCE);
        assertThat(cluster.store().read(paths.spec()).join()).isEmpty();
    }

    @Test
    void runsOfALaterJobOfThatNameHaveHigherNumbersSinceHostsRememberTheLastOne() {
        store.create(SPEC).join();
        claim(registration("a"));
        forget(paths.supervisor());
        Holder.Us last = (Holder.Us) claim(registration("b"));
        forget(paths.supervisor());
        store.remove().join();
        long fence = store.run().join();
        assertThat(fence).as("a host that is started now refuses the old job").isGreaterThan(last.run());
        store.create(SPEC).join();
        Holder.Us next = (Holder.Us) claim(registration("a"));
        assertThat(next.run()).isGreaterThan(fence);
        assertThat(store.run().join()).isEqualTo(next.run());
        assertThat(store.recordPlacement(RankHosts.NONE, next.run())).succeedsWithin(PATIENCE);
    }

    @Test
    void runsThatWereCountedInTheOldPlaceStayCounted() {
        store.create(SPEC).join();
        countFiveInTheOldPlace();
        assertThat(store.run().join()).isEqualTo(5);
        assertThat(claim(registration("a"))).isEqualTo(new Holder.Us(6));
        assertThat(store.run().join()).isEqualTo(6);
        forget(paths.supervisor());
        assertThat(claim(registration("b"))).isEqualTo(new Holder.Us(7));
    }

    @Test
    void alsoThoseOfAJobThatIsRemovedBeforeItRunsAgain() {
        store.create(SPEC).join();
        countFiveInTheOldPlace();
        store.remove().join();
        store.create(SPEC).join();
        assertThat(((Holder.Us) claim(registration("a"))).run()).isGreaterThan(5);
    }

    private void countFiveInTheOldPlace() {
        String old = paths.spec() + "/runs";
        List<Operation> count = new ArrayList<>();
        count.add(new Operation.Create(old, new byte[0], false));
        IntStream.range(0, 4).forEach(version -> count.add(new Operation.Set(old, new byte[0], version)));
        cluster.store().commit(count).join();
    }

    private SupervisorRegistration registration(String host) {
        return new SupervisorRegistration(cluster.store(), JOB, new SupervisorAddress(ADDRESS, host, 1));
    }

    private static Holder claim(SupervisorRegistration registration) {
        return registration.claim().join();
    }

    private void forget(String path) {
        cluster.store()
                .commit(List.of(new Operation.Delete(path, Operation.ANY)))
                .join();
    }
}
