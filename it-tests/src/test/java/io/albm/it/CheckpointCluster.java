// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.participant.Participant;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * ZooKeeper, five I/O nodes, two coordinators and a job of two {@linkplain PairRank ranks}, all processes. Each coordinator
 * reaches ZooKeeper through a relay of its own, and the job reaches the I/O nodes through one each, so that a test can stop the
 * protocol wherever it wants.
 */
final class CheckpointCluster implements AutoCloseable {
    static final String ZOOKEEPER = "zookeeper";
    static final String JOB = "pair";

    /** The second of the job's two. */
    static final String RANK = "rank";

    static final List<String> NODES =
            IntStream.rangeClosed(1, 5).mapToObj(n -> "storage-" + n).toList();

    private static final String NAME = "ckpt-faults";
    private static final String LATCH = "/leaders/coordinator/latch";
    private static final List<String> COORDINATORS = List.of("coordinator-a", "coordinator-b");

    /** A coordinator that has just begun to lead may not watch the job yet: it is asked again after this long. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int MOST_ASKED = 60;

    private final Path directory;
    private final Path gates;
    private final LocalCluster processes;
    private final Map<String, ZooKeeperRelay> relays = new HashMap<>();
    private final Map<String, RoleUnderTest> coordinators = new HashMap<>();
    private final Map<String, StorageRelay> storageRelays = new TreeMap<>();
    private final ZooKeeperRelay jobRelay;
    private final Transport transport = Transport.open(1);
    private final FrameClient frames = new FrameClient(transport);
    private final ZooKeeperCluster members;
    private final StripedStore store;
    private final StripedCheckpointFiles files;
    private final JobStore records;
    private final Job job;

    CheckpointCluster(Path directory) throws IOException {
        this.directory = directory;
        this.gates = Files.createDirectories(directory.resolve("gates"));
        Path docs = Files.createDirectories(directory.resolve("docs"));
        ClusterSpec spec = ClusterSpec.of(NAME, directory.resolve(".albm"), docs)
                .sized(0, NODES.size())
                .onFreePorts()
                .with(Role.STORAGE_NODE, "capacity", "16MiB");
        processes = LocalCluster.start(spec, new Installation(Albm.home()), process -> {});
        List.of("coordinator", "distributor", "console").forEach(processes::kill);
        NodeAddress zooKeeper = NodeAddress.parse(processes.zooKeeper());
        for (String id : COORDINATORS) {
            relays.put(id, new ZooKeeperRelay(zooKeeper));
            startCoordinator(id);
        }
        members = ZooKeeperCluster.connect(processes.zooKeeper(), NAME);
        store = ClusterStorage.open(members, frames, StripeSettings.DEFAULT);
        files = new StripedCheckpointFiles(store, transport.blocking());
        records = new JobStore(members.store(), JOB);
        jobRelay = new ZooKeeperRelay(zooKeeper);
        for (String node : NODES) {
            NodeAddress address = processes.process(node).endpoint(StripedStore.ENDPOINT);
            StorageRelay relay = new StorageRelay(address);
            storageRelays.put(node, relay);
            assertThat(relay.address().toString())
                    .as("what is said in place of %s has its length", address)
                    .hasSameSizeAs(address.toString());
            jobRelay.move(address, relay.address());
        }
        awaitWhole();
        job = startJob();
    }

    /** Does not wait until it is ready. */
    void startCoordinator(String id) throws IOException {
        coordinators.put(
                id,
                RoleUnderTest.start(
                        directory,
                        "coordinator",
                        "--id",
                        id,
                        "--cluster",
                        NAME,
                        "--zookeeper",
                        relay(id).address().toString(),
                        "--port",
                        "0",
                        "--admin-port",
                        "0"));
    }

    private Job startJob() throws IOException {
        Path out = Files.createTempFile(directory, "job", ".out");
        Path err = Files.createTempFile(directory, "job", ".err");
        List<String> command = new ArrayList<>(List.of("job", "run", "--json", "--name", JOB, "--ranks", "2"));
        command.addAll(List.of("--interval", "1h", "--minimum-pause", "50ms", "--max-restarts", "1000"));
        command.addAll(
                List.of("--cluster", NAME, "--zookeeper", jobRelay.address().toString(), "--"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes(PairRank.class) + ":" + classes(Participant.class),
                PairRank.class.getName(),
                gates.toString()));
        return new Job(Albm.in(directory).start(out, err, command.toArray(String[]::new)), out, err);
    }

    private static Path classes(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    Job job() {
        return job;
    }

    JobStore records() {
        return records;
    }

    StripedCheckpointFiles files() {
        return files;
    }

    StripedStore store() {
        return store;
    }

    /** A file by which ranks are held. */
    Path gate(String name) {
        return gates.resolve(name);
    }

    /** What a rank has saved and the job has not stored, or not yet thrown away. */
    Path localCopies() {
        return directory
                .resolve(".albm")
                .resolve(NAME)
                .resolve("jobs")
                .resolve(JOB)
                .resolve("saved");
    }

    /** What a node keeps on its disk of one file. */
    Path blocks(String node, String generation) {
        return directory
                .resolve(".albm")
                .resolve(NAME)
                .resolve("data")
                .resolve(node)
                .resolve("blocks")
                .resolve(generation);
    }

    ZooKeeperRelay relay(String coordinator) {
        return Objects.requireNonNull(relays.get(coordinator), coordinator);
    }

    StorageRelay storageRelay(String node) {
        return Objects.requireNonNull(storageRelays.get(node), node);
    }

    long pid(String id) throws IOException {
        if (id.equals(RANK)) {
            return job.pids().getLast();
        }
        RoleUnderTest coordinator = coordinators.get(id);
        return coordinator == null ? processes.process(id).pid() : coordinator.pid();
    }

    /** The coordinator that leads. */
    String leader() {
        Versioned latch = await().until(() -> ask(() -> members.store().read(LATCH)), Optional::isPresent)
                .orElseThrow();
        return Json.tree(new String(latch.data(), UTF_8)).path("node").asText();
    }

    /** That of the coordinator that leads, or led last. */
    long epoch() {
        return ask(() -> members.store().read(Leadership.epochPath(Role.COORDINATOR)))
                .orElseThrow()
                .version();
    }

    String standby() {
        String leader = leader();
        return COORDINATORS.stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /** Whether a coordinator believes that it leads. */
    boolean leads(String id) {
        RoleUnderTest coordinator = coordinators.get(id);
        return coordinator != null
                && coordinator.isReady()
                && coordinator
                        .get(Member.ADMIN, "/metrics")
                        .body()
                        .lines()
                        .anyMatch("albm_checkpoint_leader 1.0"::equals);
    }

    /** Until one that led has heard that it does no more. */
    void awaitOneLeader() {
        await().alias("one coordinator believes that it leads")
                .until(() -> COORDINATORS.stream().filter(this::leads).count() == 1);
    }

    /** Whether a coordinator has asked ZooKeeper, and has no answer yet. */
    boolean isZooKeeperAwaited() {
        return relays.values().stream().anyMatch(ZooKeeperRelay::isAwaited);
    }

    /** The other coordinator takes over at once, as if the session of a dead or stopped one were over. */
    void depose(String leader) {
        String other = standby();
        ask(() -> members.store().commit(List.of(new Operation.Delete(LATCH, Operation.ANY))));
        await().alias(other + " leads in place of " + leader).until(() -> leads(other));
    }

    /** SIGKILL to a coordinator; nothing that it had sent comes through. */
    void killCoordinator(String id) {
        Objects.requireNonNull(coordinators.get(id), id).kill();
        relay(id).cut();
    }

    void kill(String id) {
        processes.kill(id);
    }

    void restart(String id) throws IOException {
        processes.restart(id);
        processes.awaitReady(id);
    }

    /** The node that leads the storage's file table. */
    String tableLeader() {
        return await().until(
                        () -> NODES.stream()
                                .filter(node -> RoleUnderTest.get(
                                                processes.process(node).endpoint(Member.ADMIN), "/metrics")
                                        .body()
                                        .lines()
                                        .anyMatch("albm_table_leading 1.0"::equals))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Until both coordinators run and all I/O nodes are members. */
    void awaitWhole() {
        coordinators.values().forEach(RoleUnderTest::awaitReady);
        for (String node : NODES) {
            await().alias(node + " is a member").until(() -> isMember(processes.process(node)));
        }
        tableLeader();
    }

    private boolean isMember(ClusterProcess process) {
        Member member = members.members(process.role()).get().get(new NodeId(process.id()));
        return member != null
                && member.attribute("pid")
                        .filter(Long.toString(process.pid())::equals)
                        .isPresent();
    }

    /** Asks for a checkpoint until one has begun. */
    void begin() {
        long next = next();
        begin(() -> next() > next);
    }

    /** Asks for checkpoints until one has come as far as that; not every one comes everywhere. */
    void begin(BooleanSupplier isThere) {
        for (int asked = 0; !isThere.getAsBoolean(); asked++) {
            assertThat(asked).as("checkpoints of which none came as far").isLessThan(MOST_ASKED);
            ask(() -> members.store()
                    .commit(List.of(new Operation.Set(records.paths().trigger(), new byte[0], Operation.ANY))));
            long end = System.nanoTime() + PATIENCE.toNanos();
            await().until(() -> isThere.getAsBoolean() || System.nanoTime() > end);
        }
    }

    /** The number that the next checkpoint gets. */
    long next() {
        return ask(records::read).next();
    }

    /** The newest complete checkpoint. */
    long latest() {
        return ask(records::read).latest();
    }

    boolean isCommitted(long number) {
        return ask(() -> records.committed(number)).isPresent();
    }

    /** Whether all ranks have saved the checkpoint in flight. */
    boolean isVoted() {
        return ask(records::read).inflight().stream()
                .anyMatch(inflight -> !inflight.votes().isEmpty());
    }

    /** Until no checkpoint is in flight. */
    void awaitSettled() {
        await().alias("no checkpoint is in flight").until(this::isSettled);
    }

    boolean isSettled() {
        return ask(records::read).inflight().isEmpty();
    }

    /** Asks until it gets an answer: the cluster may be without a part that the answer needs. */
    <T> T ask(Supplier<CompletableFuture<T>> request) {
        List<T> answers = new ArrayList<>();
        if (!isAnswered(request, answers)) {
            await().until(() -> isAnswered(request, answers));
        }
        return answers.getLast();
    }

    private static <T> boolean isAnswered(Supplier<CompletableFuture<T>> request, List<T> answers) {
        try {
            return answers.add(request.get().join());
        } catch (CompletionException unreachable) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        job.process().destroyForcibly();
        coordinators.values().forEach(RoleUnderTest::close);
        frames.close();
        members.close();
        transport.close();
        processes.close();
        relays.values().forEach(Relay::close);
        storageRelays.values().forEach(Relay::close);
        jobRelay.close();
    }
}
