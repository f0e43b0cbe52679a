// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the programs of the load, each in processes of its own. A mount must be there before and after: programs that find
 * an empty directory in its place would measure the disk below.
 */
final class Load {
    private static final String FILE = "large";
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
    private static final String PAGES_AND_NAMES = "3";
    private static final int MEMORY_OF_FILES = 3;
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final Duration CHECK_BOUND = Duration.ofSeconds(20);

    /** A program is short, and shares the processors with what it measures. */
    private static final List<String> JVM =
            List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final ProcessGroup processes;
    private final StorageScale scale;
    private int barriers;

    Load(ProcessGroup processes, StorageScale scale) {
        this.processes = processes;
        this.scale = scale;
    }

    /** Whether no program can be run any more. */
    boolean isOver() {
        return processes.isClosed();
    }

    /** Writes the large file, fsync included. */
    Tally write(Volume volume) throws IOException {
        settle();
        bringInMemory();
        return stream(volume.kind() == Volume.Kind.DIRECT_DISK ? "write-direct" : "write", volume);
    }

    /** Reads it from start to end, with nothing of it in the kernel's memory. */
    Tally read(Volume volume) throws IOException {
        dropCaches();
        return stream("read", volume);
    }

    /** Writes another large file. */
    void fill(Volume volume, String file) throws IOException {
        stream("write", volume, file);
    }

    private Tally stream(String direction, Volume volume) throws IOException {
        return stream(direction, volume, FILE);
    }

    private Tally stream(String direction, Volume volume, String file) throws IOException {
        String[] arguments = {direction, volume.file(file), Integer.toString(scale.mebibytes())};
        return Tally.parse(
                run(volume, direction, ProcessGroup.javaCommand(volume.enter(), JVM, StreamFile.class, arguments)));
    }

    /** Takes the large file away, if it is there. */
    void remove(Volume volume) throws IOException {
        processes.run("remove", inside(volume, List.of("rm", "-f", volume.file(FILE))), BOUND);
    }

    /** Operations a second on 4 KiB of the large file. */
    double randomReads(Volume volume) throws IOException {
        dropCaches();
        List<String> fio = Fio.read(volume.file(FILE), scale.mebibytes(), scale.seconds());
        return Fio.operationsPerSecond(run(volume, "fio", inside(volume, fio)), "read");
    }

    /** As above; its content is gone then. */
    double randomWrites(Volume volume) throws IOException {
        List<String> fio = Fio.write(volume.file(FILE), scale.mebibytes(), scale.seconds());
        return Fio.operationsPerSecond(run(volume, "fio", inside(volume, fio)), "write");
    }

    /** Creates, stats and removes empty files from so many processes; a tally of all processes for each. */
    List<Tally> names(Volume volume, int count) throws IOException {
        Path barrier = processes.directory().resolve("barrier-" + barriers++);
        Map<String, List<String>> programs = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String[] arguments = {
                volume.location(),
                "" + i,
                "" + count,
                barrier.toString(),
                "" + Duration.ofSeconds(scale.seconds()).toMillis()
            };
            programs.put("names-" + i, ProcessGroup.javaCommand(volume.enter(), JVM, EmptyFiles.class, arguments));
        }
        settle();
        checkMounted(volume);
        List<List<Tally>> all = processes.runAll(programs, BOUND).stream()
                .map(output -> output.lines().map(Tally::parse).toList())
                .toList();
        checkMounted(volume);
        List<Tally> phases = new ArrayList<>();
        for (int phase = 0; phase < all.getFirst().size(); phase++) {
            int which = phase;
            phases.add(Tally.together(all.stream().map(each -> each.get(which)).toList()));
        }
        return phases;
    }

    /** Makes all that is written durable, and has the kernel forget what it need not know. */
    void dropCaches() throws IOException {
        settle();
        Files.writeString(DROP_CACHES, PAGES_AND_NAMES);
        bringInMemory();
    }

    /** Lets the disk finish what others have left to do. */
    private void settle() throws IOException {
        processes.run("sync", List.of("sync"), BOUND);
    }

    /**
     * Has free memory present that a virtual machine has handed back to its host (free page reporting of virtio-balloon):
     * as much as any file system takes for the large file, which is two copies and what its mount keeps. It can come back
     * slower than the disk writes, and then a turn measures who used memory just before. A file takes pages as those that are
     * measured do, in large pieces; what a program allocates comes from others. It is gone before the disk sees it.
     */
    private void bringInMemory() throws IOException {
        Path file = processes.directory().resolve("memory");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(Content.BLOCK);
            for (int i = 0; i < MEMORY_OF_FILES * scale.mebibytes(); i++) {
                channel.write(block.clear());
            }
        }
    }

    private String run(Volume volume, String name, List<String> command) throws IOException {
        return run(volume, name, command, BOUND);
    }

    /** Runs a command that sees the volume already; returns what it prints. */
    String run(Volume volume, String name, List<String> command, Duration bound) throws IOException {
        checkMounted(volume);
        String output = processes.run(name, command, bound);
        checkMounted(volume);
        return output;
    }

    /** Asks the file system itself, so that one whose process is gone is found out, too. */
    private void checkMounted(Volume volume) throws IOException {
        if (volume.kind() != Volume.Kind.MOUNT) {
            return;
        }
        List<String> df = inside(volume, List.of("df", "--output=fstype,target", volume.location()));
        if (!isMounted(processes.run("df", df, CHECK_BOUND), volume.location())) {
            throw new CliException(ExitCode.FAILED, volume.name() + " is not mounted any more");
        }
    }

    /** Whether {@code df} says that a file system of user space is mounted right there. */
    static boolean isMounted(String df, String directory) {
        return df.lines()
                .map(line -> line.strip().split("\\s+", 2))
                .anyMatch(fields -> fields.length == 2 && fields[0].startsWith("fuse") && fields[1].equals(directory));
    }

    /** The command as one that sees the volume. */
    static List<String> inside(Volume volume, List<String> command) {
        List<String> all = new ArrayList<>(volume.enter());
        all.addAll(command);
        return all;
    }
}
