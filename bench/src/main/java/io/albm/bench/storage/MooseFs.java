// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Tools;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Pod;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** MooseFS with a master, five chunkservers and two copies of every chunk. */
final class MooseFs implements Peer {
    static final String NAME = "moosefs";

    private static final int CHUNKSERVERS = 5;
    private static final int FIRST_PORT = 9501;
    private static final String COPIES = "2";
    private static final Duration JOIN_BOUND = Duration.ofMinutes(1);

    /** What a master without a file begins with; Debian's package has it in a file. */
    private static final Path EMPTY = Path.of("/var/lib/mfs/metadata.mfs.empty");

    @Override
    public List<String> volumes() {
        return List.of(NAME);
    }

    @Override
    public List<String> programs() {
        return List.of("mfsmaster", "mfschunkserver", "mfsmount", "mfssetgoal");
    }

    @Override
    public String packages() {
        return "moosefs-master moosefs-chunkserver moosefs-client";
    }

    @Override
    public String version() throws IOException {
        return Tools.version("mfsmaster", "-v");
    }

    @Override
    public List<Volume> start(ProcessGroup processes, Path directory) throws IOException {
        Pod pod = Pod.start(processes, "moosefs", ":");
        ChildProcess master = pod.start("mfsmaster", List.of("mfsmaster", "-f", "-c", master(directory), "start"));
        for (int i = 0; i < CHUNKSERVERS; i++) {
            String name = "chunkserver-" + i;
            String configuration = chunkserver(directory, name, FIRST_PORT + i);
            pod.start(name, List.of("mfschunkserver", "-f", "-c", configuration, "start"));
        }
        master.await("joined by its chunkservers", JOIN_BOUND, () -> registered(master.errors()) == CHUNKSERVERS);
        Path mount = Files.createDirectory(directory.resolve("mount"));
        pod.run("mfsmount", mount.toString(), "-H", Pod.ADDRESS);
        pod.run("mfssetgoal", "-r", COPIES, mount.toString());
        return List.of(Volume.mount(NAME, mount, pod.enter()));
    }

    /** How many chunkservers the master says have told it all. */
    static long registered(String log) {
        return log.lines()
                .filter(line -> line.contains("chunkserver register end"))
                .count();
    }

    private static String master(Path directory) throws IOException {
        Path data = Files.createDirectory(directory.resolve("master"));
        Files.copy(EMPTY, data.resolve("metadata.mfs"));
        Path exports = Files.writeString(directory.resolve("exports.cfg"), "* / rw,alldirs,admin,maproot=0:0\n");
        Path topology = Files.writeString(directory.resolve("topology.cfg"), "");
        return Files.writeString(directory.resolve("master.cfg"), """
                        WORKING_USER = root
                        WORKING_GROUP = root
                        DATA_PATH = %s
                        EXPORTS_FILENAME = %s
                        TOPOLOGY_FILENAME = %s
                        """.formatted(data, exports, topology))
                .toString();
    }

    private static String chunkserver(Path directory, String name, int port) throws IOException {
        Path data = Files.createDirectory(directory.resolve(name));
        Path disk = Files.createDirectory(directory.resolve(name + "-disk"));
        Path disks = Files.writeString(directory.resolve(name + "-disks.cfg"), disk + "\n");
        return Files.writeString(directory.resolve(name + ".cfg"), """
                        WORKING_USER = root
                        WORKING_GROUP = root
                        DATA_PATH = %s
                        HDD_CONF_FILENAME = %s
                        MASTER_HOST = %s
                        CSSERV_LISTEN_PORT = %d
                        """.formatted(data, disks, Pod.ADDRESS, port))
                .toString();
    }
}
