// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.core.local.Installation;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Our storage as {@code albm run storage-node} and {@code albm mount} make it, with everything as shipped: five nodes and
 * a ZooKeeper, all on one disk. Files have four data units and a parity unit in a stripe. The mount is seen from a
 * namespace of its own, so that nothing of it can stay behind.
 */
final class AlbmStorage {
    static final String NAME = "albm";
    static final int NODES = 5;

    private static final Duration MOUNT_BOUND = Duration.ofMinutes(1);
    private static final int VICTIM = 2;

    /** A file system in memory over the node's directory, seen by that process alone and gone with it. */
    private static final String IN_MEMORY = "mount -t tmpfs albm \"$0\" && exec \"$@\"";

    private final ProcessGroup processes;
    private final Roles roles;
    private final @Nullable LostDisk lostDisk;
    private final List<ChildProcess> nodes = new ArrayList<>();
    private final Volume volume;
    private int lostDisks;

    /** Starts all of it on one disk, and waits for it. */
    AlbmStorage(ProcessGroup processes, Installation installation) throws IOException {
        this(processes, installation, null);
    }

    /**
     * Starts all of it, and waits for it.
     *
     * @param lostDisk which the node that is lost has for itself, while the others keep their blocks in memory; null if all
     *     are on one disk
     */
    AlbmStorage(ProcessGroup processes, Installation installation, @Nullable LostDisk lostDisk) throws IOException {
        this.lostDisk = lostDisk;
        this.processes = processes;
        this.roles = Roles.start(processes, installation);
        for (int i = 0; i < NODES; i++) {
            nodes.add(start(i));
        }
        nodes.forEach(AlbmStorage::awaitReady);
        this.volume = mount(installation);
    }

    private ChildProcess start(int node) throws IOException {
        List<String> options = new ArrayList<>(List.of("--port", "0"));
        if (lostDisk != null && node == VICTIM) {
            options.addAll(lostDisk.nodeOptions());
        }
        return roles.start(before(node), "storage-node", "storage-" + node, options);
    }

    private List<String> before(int node) throws IOException {
        if (lostDisk == null) {
            return List.of();
        }
        return node == VICTIM
                ? lostDisk.enter()
                : List.of(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        IN_MEMORY,
                        Files.createDirectories(data(node)).toString());
    }

    private Path data(int node) {
        return processes.directory().resolve("storage-" + node);
    }

    private static void awaitReady(ChildProcess node) {
        Roles.endpoint(node, StripedStore.ENDPOINT);
    }

    private Volume mount(Installation installation) throws IOException {
        Path directory = Files.createDirectory(processes.directory().resolve("mount-" + NAME));
        String launcher = installation.home().resolve("albm").toString();
        ChildProcess mount = processes.start(
                "mount",
                List.of("unshare", "--mount", launcher, "mount", "--zookeeper", zooKeeper(), directory.toString()));
        mount.await("mounted", MOUNT_BOUND, () -> mount.output().contains("mounted on"));
        return Volume.mount(NAME, directory, List.of("nsenter", "--target", Long.toString(mount.pid()), "--mount"));
    }

    /** The mount. */
    Volume volume() {
        return volume;
    }

    /** Where its ZooKeeper listens. */
    String zooKeeper() {
        return roles.zooKeeper().toString();
    }

    /** Its storage nodes. */
    List<ChildProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** The node that is lost. */
    ChildProcess victim() {
        return nodes.get(VICTIM);
    }

    /** Kills a node, as if its machine had lost power. */
    void killNode() {
        ChildProcess node = victim();
        ProcessHandle.of(node.pid()).ifPresent(ProcessHandle::destroyForcibly);
        processes.stop(node);
    }

    /**
     * Starts it again, on an empty disk. The files of the old one are emptied and stay: an ext4 without a journal passes over
     * all inodes that were removed within a minute for each file that is made, which a new disk does not have.
     */
    void replaceNode() throws IOException {
        Path lost = processes.directory().resolve("lost-" + ++lostDisks);
        Files.move(data(VICTIM), lost);
        try (Stream<Path> files = Files.walk(lost).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                        .close();
            }
        }
        restartNode();
    }

    /** Starts it again, on the same disk. */
    void restartNode() throws IOException {
        ChildProcess node = start(VICTIM);
        nodes.set(VICTIM, node);
        awaitReady(node);
    }
}
