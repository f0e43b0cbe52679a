// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.host.RemoteHosts;
import io.albm.checkpoint.job.HostChoice;
import io.albm.checkpoint.job.HostSource;
import io.albm.checkpoint.job.JobProgress;
import io.albm.checkpoint.job.JobSupervisor;
import io.albm.checkpoint.job.PartnerHosts;
import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankHost;
import io.albm.checkpoint.job.SupervisorRegistration;
import io.albm.checkpoint.protocol.Interval;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.RankHosts;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Registration;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.StripeSettings;
import io.albm.storage.node.StorageRig;
import io.albm.storage.table.ClusterStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor and job-hosts on real sockets with a real ZooKeeper; ranks are processes that save nothing. */
@Timeout(60)
class JobHostsTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final Transport transport = Transport.open(2);
    private final FrameClient client = new FrameClient(transport);
    private final List<JobProgress> progress = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<String, RunningHost> leaving = new ConcurrentHashMap<>();

    /** How many answers those that leave outstay. */
    private final AtomicInteger stays = new AtomicInteger();

    @TempDir
    private Path dir = Path.of("");

    private StorageRig rig;
    private ZooKeeperCluster cluster;

    @BeforeEach
    void start() throws Exception {
        rig = StorageRig.start(dir, 1);
        rig.announce();
        cluster = ZooKeeperCluster.connect(rig.zooKeeper(), StorageRig.CLUSTER);
        cluster.members(Role.JOB_HOST).loaded().join();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        events(JobProgress.Started.class).stream()
                .flatMap(started -> started.pids().stream())
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
        client.close();
        cluster.close();
        transport.close();
        rig.close();
    }

    @Test
    void ranksRunOnTheirHostsAndWhatTheyPrintedLastIsHeard() throws Exception {
        host("a");
        host("b");
        JobSupervisor supervisor =
                supervisor("spread", any(2), 4, "echo $ALBM_RANK of $ALBM_RANKS in $ALBM_JOB: $COLOUR");
        supervisor.run().get(30, TimeUnit.SECONDS);
        assertThat(events(JobProgress.Started.class))
                .singleElement()
                .satisfies(started -> assertThat(started.hosts()).containsExactly("a", "a", "b", "b"));
        assertThat(events(JobProgress.Output.class))
                .extracting(JobProgress.Output::text)
                .containsExactlyInAnyOrder(
                        "0 of 4 in spread: red",
                        "1 of 4 in spread: red",
                        "2 of 4 in spread: red",
                        "3 of 4 in spread: red");
        assertThat(events(JobProgress.Finished.class)).hasSize(1);
    }

    @Test
    void aJobWhoseRanksCannotBeStartedIsGivenUp() throws Exception {
        host("a");
        RankCommand nowhere = new RankCommand(List.of("true"), Map.of(), "no\0where", null);
        assertThat(supervisor("unnameable", any(1), 1, nowhere).run())
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("cannot start the ranks");
    }

    @Test
    void afterARankDiedAllRunAgainWhereTheyWere() throws Exception {
        host("a");
        host("b");
        JobSupervisor supervisor = supervisor("died", any(2), 2, """
                case $ALBM_ATTEMPT$ALBM_RANK in
                10) exec sleep 60 ;;
                11) exit 3 ;;
                esac
                """);
        supervisor.run().get(30, TimeUnit.SECONDS);
        assertThat(events(JobProgress.RankDied.class))
                .extracting(JobProgress.RankDied::rank, JobProgress.RankDied::exit)
                .containsExactly(tuple(1, 3));
        assertThat(events(JobProgress.Started.class))
                .extracting(JobProgress.Started::hosts)
                .containsExactly(List.of("a", "b"), List.of("a", "b"));
        assertThat(isAlive(events(JobProgress.Started.class).getFirst().pids().getFirst()))
                .isFalse();
    }

    @Test
    void aHostThatJoinedLaterTakesTheRanksOfOneThatIsLost() throws Exception {
        host("a");
        RunningHost lost = host("b");
        JobSupervisor supervisor = supervisor(
                "moved",
                new HostChoice(2, List.of(), null, false),
                2,
                "if [ $ALBM_ATTEMPT = 1 ]; then exec sleep 60; fi");
        var ended = supervisor.run();
        await().atMost(PATIENCE).until(() -> !events(JobProgress.Started.class).isEmpty());
        lost.fail();
        await().atMost(PATIENCE).until(() -> !events(JobProgress.HostLost.class).isEmpty());
        assertThat(events(JobProgress.Started.class)).hasSize(1);
        host("c");
        ended.get(40, TimeUnit.SECONDS);
        assertThat(events(JobProgress.Started.class).getLast().hosts()).containsExactly("a", "c");
        assertThat(events(JobProgress.HostLost.class))
                .extracting(JobProgress.HostLost::host)
                .containsExactly("b");
    }

    @Test
    void aSpareThatLeavesWhenItIsChosenIsReplacedByAnother() throws Exception {
        host("a");
        RunningHost lost = host("b");
        JobSupervisor supervisor = supervisor(
                "left",
                new HostChoice(2, List.of(), null, false),
                2,
                "if [ $ALBM_ATTEMPT = 1 ]; then exec sleep 60; fi");
        var ended = supervisor.run();
        await().atMost(PATIENCE).until(() -> !events(JobProgress.Started.class).isEmpty());
        leaving.put("c", host("c"));
        lost.fail();
        await().atMost(PATIENCE).until(() -> notices().contains("waits: host c has left the cluster"));
        host("d");
        ended.get(40, TimeUnit.SECONDS);
        assertThat(events(JobProgress.Started.class).getLast().hosts()).containsExactly("a", "d");
    }

    @Test
    void aHostThatLeavesWhenANewJobChoosesItIsReplacedAsIfItHadNotAnswered() throws Exception {
        host("a");
        leaving.put("b", host("b"));
        stays.set(1);
        JobSupervisor supervisor = supervisor("new", new HostChoice(2, List.of(), Set.of(), false), 2, "true");
        var ended = supervisor.run();
        await().atMost(PATIENCE).until(() -> notices().contains("waits: host b has left the cluster"));
        host("c");
        ended.get(40, TimeUnit.SECONDS);
        assertThat(events(JobProgress.Started.class))
                .singleElement()
                .satisfies(started -> assertThat(started.hosts()).containsExactly("a", "c"));
        assertThat(notices()).as("no rank was anywhere").noneMatch(notice -> notice.contains("go from host"));
    }

    @Test
    void aHostOfTheLastRunThatLeavesWhenItIsAskedIsWaitedFor() throws Exception {
        host("a");
        leaving.put("b", host("b"));
        JobSupervisor supervisor = supervisor("continued", any(2), 2, "true");
        new JobStore(cluster.store(), "continued")
                .recordPlacement(new RankHosts(LEASE.toMillis(), Map.of("a", List.of(0), "b", List.of(1))), 1)
                .join();
        supervisor.run().get(40, TimeUnit.SECONDS);
        assertThat(notices()).anyMatch(notice -> notice.startsWith("hosts b of the last run cannot be asked"));
        assertThat(events(JobProgress.Started.class).getLast().hosts()).containsExactly("a", "a");
    }

    @Test
    void aLaterJobOfTheNameOfARemovedOneIsRunByTheSameHost() throws Exception {
        host("a");
        supervisor("again", any(1), 1, "echo first").run().get(30, TimeUnit.SECONDS);
        JobStore store = new JobStore(cluster.store(), "again");
        cluster.store()
                .commit(List.of(new Operation.Delete(store.paths().supervisor(), Operation.ANY)))
                .join();
        store.remove().join();
        supervisor("again", any(1), 1, "echo second").run().get(30, TimeUnit.SECONDS);
        assertThat(events(JobProgress.Output.class))
                .extracting(JobProgress.Output::text)
                .containsExactly("first", "second");
    }

    @Test
    void saysWhichHostsThereAreIfTheyAreTooFew() throws Exception {
        host("a");
        JobSupervisor supervisor = supervisor("few", any(2), 2, "true");
        assertThat(supervisor.run())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("2 hosts are wanted, these answer: a");
    }

    private static HostChoice any(int count) {
        return new HostChoice(count, List.of(), null, true);
    }

    private <T extends JobProgress> List<T> events(Class<T> type) {
        return progress.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private List<String> notices() {
        return events(JobProgress.Notice.class).stream()
                .map(JobProgress.Notice::text)
                .toList();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private JobSupervisor supervisor(String job, HostChoice choice, int ranks, String script) throws IOException {
        return supervisor(
                job,
                choice,
                ranks,
                new RankCommand(List.of("sh", "-c", script), Map.of("COLOUR", "red"), dir.toString(), null));
    }

    private JobSupervisor supervisor(String job, HostChoice choice, int ranks, RankCommand command) throws IOException {
        JobSpec spec = new JobSpec(
                job, ranks, new Interval.Fixed(60_000), 0, 20_000, 20_000, CheckpointStrategies.DEFAULT, 3, 2, 0);
        JobStore store = new JobStore(cluster.store(), job);
        store.create(spec).join();
        SupervisorRegistration registration = new SupervisorRegistration(
                cluster.store(),
                job,
                new SupervisorAddress(ANY_PORT, "here", ProcessHandle.current().pid()));
        registration.claim().join();
        RemoteHosts hosts = new RemoteHosts(
                cluster,
                client,
                job,
                ranks,
                command,
                choice,
                LEASE,
                false,
                "127.0.0.1",
                () -> store.run().join());
        StripedCheckpointFiles files = new StripedCheckpointFiles(
                ClusterStorage.open(cluster, client, StripeSettings.DEFAULT), transport.blocking());
        JobSupervisor supervisor = new JobSupervisor(spec, 5, new Leaving(hosts), store, files, progress::add);
        opened.add(supervisor);
        return supervisor;
    }

    private RunningHost host(String id) throws Exception {
        RunningHost host = new RunningHost(id);
        opened.add(host::stop);
        await().atMost(PATIENCE)
                .until(() -> cluster.members(Role.JOB_HOST).get().containsKey(new NodeId(id)));
        return host;
    }

    /** Hosts of which the membership may end between their answer and their use. */
    private final class Leaving implements HostSource {
        private final HostSource hosts;

        Leaving(HostSource hosts) {
            this.hosts = hosts;
        }

        @Override
        public CompletableFuture<SortedSet<String>> answering() {
            return hosts.answering().thenApplyAsync(this::leave, Thread::startVirtualThread);
        }

        private SortedSet<String> leave(SortedSet<String> answering) {
            if (stays.getAndDecrement() <= 0) {
                answering.stream()
                        .flatMap(name -> Stream.ofNullable(leaving.remove(name)))
                        .forEach(RunningHost::leave);
            }
            return answering;
        }

        @Override
        public HostChoice choice() {
            return hosts.choice();
        }

        @Override
        public Duration lease() {
            return hosts.lease();
        }

        @Override
        public long run() {
            return hosts.run();
        }

        @Override
        public String bind() {
            return hosts.bind();
        }

        @Override
        public Optional<PartnerHosts> partners() {
            return hosts.partners();
        }

        @Override
        public Optional<RankHost> open(String name, RankHost.Listener listener, ScheduledExecutorService loop)
                throws IOException {
            return hosts.open(name, listener, loop);
        }
    }

    private final class RunningHost {
        private final Metrics metrics;
        private final ZooKeeperCluster member = ZooKeeperCluster.connect(rig.zooKeeper(), StorageRig.CLUSTER);
        private final AdminServer admin;
        private final RoleService service;
        private final Registration registration;
        private final NodeId id;
        private boolean failed;

        RunningHost(String id) throws Exception {
            this.id = new NodeId(id);
            JobHostRole role = new JobHostRole();
            metrics = new Metrics(Role.JOB_HOST, new NodeId(id));
            Health health = new Health(InstantSource.system());
            admin = new AdminServer(transport, ANY_PORT, Role.JOB_HOST, new NodeId(id), health, metrics);
            Configuration configuration =
                    Configuration.load(role.schema(), Sources.commandLine(Map.of("id", id, "port", "0")));
            service = role.create(new RoleContext(
                    Role.JOB_HOST,
                    configuration,
                    member,
                    metrics,
                    transport,
                    health,
                    admin,
                    MonotonicClock.system(),
                    dir.resolve(id)));
            registration = member.join(service.start());
        }

        /** Ends its membership, as a drain does at its begin. */
        void leave() {
            registration.close();
            await().atMost(PATIENCE)
                    .until(() -> !cluster.members(Role.JOB_HOST).get().containsKey(id));
        }

        /** Neither answers nor kills its ranks: as a process that is killed. */
        void fail() {
            failed = true;
            service.close();
            member.close();
        }

        void stop() throws Exception {
            if (!failed) {
                registration.close();
                service.drain(Duration.ofSeconds(10));
                service.close();
                member.close();
            }
            admin.close();
            metrics.close();
        }
    }
}
