// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Tools;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Pod;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * GlusterFS with five bricks: a volume with the redundancy that we have (disperse 4 + 1), and one that only spreads
 * shards.
 */
final class Gluster implements Peer {
    static final String DISPERSE = "gluster-disperse";
    static final String SHARD = "gluster-shard";

    private static final int BRICKS = 5;

    /** For a machine with few processors, and its own group of settings for caches of metadata. */
    private static final Map<String, String> COMMON = Map.of(
            "client.event-threads", "4",
            "server.event-threads", "4",
            "performance.cache-size", "256MB",
            "features.cache-invalidation", "on",
            "features.cache-invalidation-timeout", "600",
            "performance.stat-prefetch", "on",
            "performance.cache-invalidation", "on",
            "performance.md-cache-timeout", "600",
            "network.inode-lru-limit", "200000");

    @Override
    public List<String> volumes() {
        return List.of(DISPERSE, SHARD);
    }

    @Override
    public List<String> programs() {
        return List.of("glusterd", "gluster", "glusterfs");
    }

    @Override
    public String packages() {
        return "glusterfs-server";
    }

    @Override
    public String version() throws IOException {
        return Tools.version("glusterfs", "--version");
    }

    @Override
    public List<Volume> start(ProcessGroup processes, Path directory) throws IOException {
        Pod pod = Pod.start(
                processes,
                "gluster",
                over(directory, "state", "/var/lib/glusterd")
                        + over(directory, "run", "/var/run/gluster")
                        + over(directory, "log", "/var/log/glusterfs")
                        + ":");
        ChildProcess server = pod.start("glusterd", List.of("glusterd", "-N", "--log-level", "WARNING"));
        pod.awaitSuccess(server, "gluster", "--mode=script", "volume", "list");
        return List.of(
                volume(pod, directory, DISPERSE, List.of("disperse", "" + BRICKS, "redundancy", "1"), Map.of()),
                volume(pod, directory, SHARD, List.of(), Map.of("features.shard", "on")));
    }

    /** Its state is the system's: a folder of ours lies over that while the pod is there. */
    private static String over(Path directory, String ours, String systems) throws IOException {
        return "mount --bind %s %s; ".formatted(Files.createDirectory(directory.resolve(ours)), systems);
    }

    private static Volume volume(Pod pod, Path directory, String name, List<String> kind, Map<String, String> settings)
            throws IOException {
        List<String> create = new ArrayList<>(List.of("create", name));
        create.addAll(kind);
        create.addAll(bricks(directory, name));
        create.add("force"); // bricks on the system's disk
        command(pod, create);
        Map<String, String> all = new TreeMap<>(COMMON);
        all.putAll(settings);
        for (var setting : all.entrySet()) {
            command(pod, List.of("set", name, setting.getKey(), setting.getValue()));
        }
        command(pod, List.of("start", name));
        Path mount = Files.createDirectory(directory.resolve("mount-" + name));
        pod.run("mount", "-t", "glusterfs", Pod.ADDRESS + ":/" + name, mount.toString());
        return Volume.mount(name, mount, pod.enter());
    }

    private static List<String> bricks(Path directory, String volume) {
        return IntStream.rangeClosed(1, BRICKS)
                .mapToObj(brick -> "%s:%s/%s-%d".formatted(Pod.ADDRESS, directory, volume, brick))
                .toList();
    }

    private static void command(Pod pod, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of("gluster", "--mode=script", "volume"));
        command.addAll(words);
        pod.run(command.toArray(String[]::new));
    }
}
