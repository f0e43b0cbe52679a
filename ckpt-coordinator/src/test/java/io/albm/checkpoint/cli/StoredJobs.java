// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.CheckpointTimes;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.Inflight;
import io.albm.checkpoint.protocol.Interval;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.protocol.StoredUnits;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.node.StorageRig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** A real ZooKeeper and real I/O nodes with jobs whose checkpoints lie there as coordinator and supervisor leave them. */
final class StoredJobs implements AutoCloseable {
    static final String CLUSTER = StorageRig.CLUSTER;
    private static final int NODES = 5;

    private final StorageRig rig;
    private final ZooKeeperCluster cluster;
    private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    private final StripedCheckpointFiles files;

    private StoredJobs(StorageRig rig) {
        this.rig = rig;
        this.cluster = ZooKeeperCluster.connect(rig.zooKeeper(), CLUSTER);
        this.files = new StripedCheckpointFiles(rig.store(), blocking);
    }

    static StoredJobs start(Path dir) throws IOException {
        StorageRig rig = StorageRig.start(dir, NODES);
        rig.announce();
        return new StoredJobs(rig);
    }

    String zooKeeper() {
        return rig.zooKeeper();
    }

    ZooKeeperCluster cluster() {
        return cluster;
    }

    StripedCheckpointFiles files() {
        return files;
    }

    /** What a rank has saved. */
    static byte[] state(String job, long number, int rank) {
        return ("state of rank " + rank + " of " + job + " at checkpoint " + number).getBytes(UTF_8);
    }

    void create(String job, int ranks) {
        store(job)
                .create(new JobSpec(
                        job, ranks, new Interval.Fixed(1000), 500, 60_000, 60_000, "coordinated", ranks, 2, 0))
                .join();
    }

    void commit(String job, long number, Instant savedAt) {
        JobPaths paths = new JobPaths(job);
        int ranks = store(job).spec().join().orElseThrow().ranks();
        List<StoredUnit> units = IntStream.range(0, ranks)
                .mapToObj(rank -> unit(job, number, rank))
                .toList();
        Manifest manifest = new Manifest(job, number, number * 10, 1, ranks, units, List.of());
        byte[] content = Json.bytes(manifest);
        String path = paths.manifest(number, 1);
        files.write(path, content).join();
        Committed entry = new Committed(
                number,
                path,
                Digests.sha256(content),
                number * 10,
                1,
                manifest.bytes(),
                manifest.newBytes(),
                manifest.storedBytes(),
                ranks,
                50,
                new CheckpointTimes(savedAt, 12, 34, 4));
        cluster.store()
                .commit(List.of(
                        new Operation.Create(paths.committed(number), Json.bytes(entry), false),
                        set(paths.latest(), number),
                        set(paths.next(), number + 1)))
                .join();
    }

    /** The record that its coordinator keeps of a checkpoint until it is complete. */
    void begin(String job, Inflight record) {
        JobPaths paths = new JobPaths(job);
        cluster.store()
                .commit(List.of(
                        new Operation.Create(paths.inflight(record.number()), Json.bytes(record), false),
                        set(paths.next(), record.number() + 1)))
                .join();
    }

    /** Somebody runs it from now on. */
    void supervise(String job) {
        cluster.store()
                .commit(List.of(new Operation.Create(new JobPaths(job).supervisor(), new byte[0], false)))
                .join();
    }

    /** Whoever ran it is gone. */
    void leave(String job) {
        cluster.store()
                .commit(List.of(new Operation.Delete(new JobPaths(job).supervisor(), Operation.ANY)))
                .join();
    }

    private StoredUnit unit(String job, long number, int rank) {
        return new StoredUnits(files, new JobPaths(job), number).store(rank, state(job, number, rank));
    }

    /** Damage that no parity repairs. */
    void overwrite(String job, long number, int rank, String content) {
        files.write(new JobPaths(job).pack(new PackId(number, rank)), content.getBytes(UTF_8))
                .join();
    }

    /** Nothing is lost: the disks stay. */
    void stopNodes() {
        IntStream.rangeClosed(1, NODES).forEach(node -> rig.stopNode("n-" + node));
    }

    /** As its coordinator does it: first the record, then the files. */
    void retire(String job, long number) {
        cluster.store()
                .commit(List.of(new Operation.Delete(new JobPaths(job).committed(number), Operation.ANY)))
                .join();
        files(job, number).forEach(file -> files.delete(file).join());
    }

    void goBackTo(String job, long number) {
        store(job).goBackTo(number).join();
    }

    List<String> files(String job, long number) {
        return files.list(new JobPaths(job).files(number)).join().keySet().stream()
                .sorted()
                .toList();
    }

    JobStore store(String job) {
        return new JobStore(cluster.store(), job);
    }

    private static Operation set(String path, long number) {
        return new Operation.Set(path, Long.toString(number).getBytes(US_ASCII), Operation.ANY);
    }

    @Override
    public void close() throws IOException {
        cluster.close();
        rig.close();
        blocking.close();
    }
}
