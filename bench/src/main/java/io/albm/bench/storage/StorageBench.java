// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.compare.Tools;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.Choice;
import io.albm.bench.storage.Measure.Part;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench storage}. */
@Command(
        name = "storage",
        description = {
            "Compares the striped storage, through its mount, with GlusterFS, MooseFS, NFS-Ganesha and the disk itself.",
            "",
            "Our storage is what 'albm run storage-node' (five of them) and 'albm mount' start, with everything as shipped:"
                    + " four data units and a parity unit in a stripe. GlusterFS has five bricks, once with the same"
                    + " redundancy (disperse) and once with none (shard); MooseFS five chunkservers and two copies;"
                    + " NFS-Ganesha exports a directory and is asked by libnfs. All of it is on one disk, and the file systems"
                    + " take turns: a large file is written, fsync included, and read after the kernel's caches were dropped;"
                    + " empty files are made, looked at and removed by one and by four processes; 4 KiB pieces are read and"
                    + " written; a node of ours is killed under a reader; our own client is compared with a file behind one TCP"
                    + " connection. Every byte read is compared. A target's value is the least ratio of its measures, ours over"
                    + " the peer's, medians of all rounds. A peer that is not installed takes no part, and its targets are"
                    + " missed.",
            "",
            "Takes root, and 10 GB of disk. The peers: " + StorageBench.INSTALL
        })
public final class StorageBench extends BenchCommand {
    static final String INSTALL =
            "apt-get install fio glusterfs-server moosefs-master moosefs-chunkserver moosefs-client nfs-ganesha"
                    + " nfs-ganesha-vfs libnfs-utils";

    private static final List<Peer> PEERS = List.of(new Gluster(), new MooseFs(), new Ganesha());

    @Option(
            names = "--only",
            paramLabel = "TARGET",
            split = ",",
            description = "Measure these targets alone, and the peers that they need, while working on them:"
                    + " write-vs-disperse, read-vs-shard, read-vs-disperse, create-vs-moosefs, create-vs-disperse,"
                    + " create-vs-nfs, remove-vs-moosefs, degraded-read, client-write, client-read.")
    private List<String> only = List.of();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException {
        Logging.quiet();
        List<StorageTarget> targets = targets();
        Contenders.requireRoot();
        Installation installation = Installation.find();
        StorageScale scale = shorter ? StorageScale.quick() : StorageScale.full();
        try (ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/bench-storage"))) {
            return compare(processes, installation, targets, scale);
        }
    }

    private BenchReport compare(
            ProcessGroup processes, Installation installation, List<StorageTarget> targets, StorageScale scale)
            throws IOException {
        Figures figures = new Figures();
        Contenders contenders = Contenders.start(processes, installation, peers(targets), figures, System.err::println);
        Load load = new Load(processes, scale);
        Map<String, ClientLoad> clients = new LinkedHashMap<>();
        clients.put(AlbmStorage.NAME, ClientLoad.ours(processes, scale, load, contenders.ours()));
        clients.put(StorageTarget.TCP_DISK, ClientLoad.tcp(processes, scale, load));
        StorageComparison comparison = new StorageComparison(
                contenders.ours(), contenders.volumes(), load, clients, figures, System.err::println);
        int rounds = comparison.run(parts(targets), scale);
        return new BenchReport(
                figures.results(),
                targets.stream().map(target -> target.judge(figures)).toList(),
                surroundings(rounds, scale, contenders, figures));
    }

    /** Those that one of the targets is about. */
    private static List<Peer> peers(List<StorageTarget> targets) {
        return PEERS.stream()
                .filter(peer ->
                        targets.stream().anyMatch(target -> peer.volumes().contains(target.peer())))
                .toList();
    }

    /** All parts, or those of the targets alone. */
    private Set<Part> parts(List<StorageTarget> targets) {
        if (only.isEmpty()) {
            Set<Part> all = EnumSet.allOf(Part.class);
            if (!Tools.isOnPath("fio")) {
                all.remove(Part.RANDOM);
                System.err.println("no random reads and writes: missing fio: apt-get install fio");
            }
            return all;
        }
        Set<Part> parts = EnumSet.noneOf(Part.class);
        targets.forEach(target -> target.measures().forEach(measure -> parts.add(measure.part())));
        return Collections.unmodifiableSet(parts);
    }

    private static Map<String, String> surroundings(
            int rounds, StorageScale scale, Contenders contenders, Figures figures) throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "load",
                "%d of %d rounds in turns, medians; a file of %d MiB, names for %d s; one disk and the same processors for all"
                        .formatted(rounds, scale.rounds(), scale.mebibytes(), scale.seconds()));
        all.put(
                "caches",
                "the kernel's were dropped before reads, not those of the machine below it; writes end with fsync, which"
                        + " MooseFS answers from its chunkservers' memory; nobody but us makes each name durable");
        all.putAll(contenders.versions());
        all.putAll(figures.notes());
        return all;
    }

    private List<StorageTarget> targets() {
        return only.isEmpty()
                ? StorageTarget.ALL
                : only.stream()
                        .map(target -> Choice.of("--only", target, StorageTarget.ALL, StorageTarget::target))
                        .distinct()
                        .toList();
    }
}
