// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The file systems that take part: ours, the disk below all of them, and those peers that are on this machine. */
final class Contenders {
    private static final int ROOT = 0;

    private final AlbmStorage ours;
    private final List<Volume> volumes = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();

    private Contenders(AlbmStorage ours) {
        this.ours = ours;
        volumes.add(ours.volume());
    }

    /**
     * Starts them. A peer that is not installed, or does not start, is noted as absent.
     *
     * @param progress told who takes no part
     */
    static Contenders start(
            ProcessGroup processes,
            Installation installation,
            List<Peer> peers,
            Figures figures,
            Consumer<String> progress)
            throws IOException {
        Contenders contenders = new Contenders(new AlbmStorage(processes, installation));
        contenders.volumes.add(disk(processes));
        for (Peer peer : peers) {
            try {
                contenders.volumes.addAll(start(peer, processes));
                contenders.peers.add(peer);
            } catch (CliException e) {
                for (String volume : peer.volumes()) {
                    figures.absent(volume, String.valueOf(e.getMessage()));
                    progress.accept(volume + " takes no part: " + e.getMessage());
                }
            }
        }
        return contenders;
    }

    /** A directory beside the bricks. */
    private static Volume disk(ProcessGroup processes) throws IOException {
        Path directory = Files.createDirectory(processes.directory().resolve("disk"));
        String type = Files.getFileStore(directory).type();
        return new Volume(type, Volume.Kind.DISK, directory.toString(), List.of());
    }

    private static List<Volume> start(Peer peer, ProcessGroup processes) throws IOException {
        if (!peer.missing().isEmpty()) {
            throw new CliException(
                    ExitCode.FAILED,
                    "missing %s: apt-get install %s".formatted(String.join(", ", peer.missing()), peer.packages()));
        }
        Path directory = Files.createDirectory(
                processes.directory().resolve("peer-" + peer.volumes().getFirst()));
        try {
            return peer.start(processes, directory);
        } catch (CliException e) {
            throw new CliException(ExitCode.FAILED, "could not be started: " + e.getMessage());
        }
    }

    /** Fails unless this is root, whom all of this takes. */
    static void requireRoot() throws IOException {
        if ((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") != ROOT) {
            throw new CliException(
                    ExitCode.NOT_ALLOWED, "mounts, namespaces and dropping caches take root: start this as root");
        }
    }

    AlbmStorage ours() {
        return ours;
    }

    /** All that take part, ours first, then the disk. */
    List<Volume> volumes() {
        return List.copyOf(volumes);
    }

    /** The disk below all others. */
    Volume disk() {
        return volumes.get(1);
    }

    /** Of the peers that take part, by name. */
    Map<String, String> versions() throws IOException {
        Map<String, String> versions = new LinkedHashMap<>();
        for (Peer peer : peers) {
            versions.put(peer.volumes().getFirst(), peer.version());
        }
        return versions;
    }
}
