// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A machine with a slow disk, as far as the processes in it can tell: a control group of its own below this process's
 * group, whose reads or writes of one disk the kernel holds to a rate. A read that the page cache answers is no read of the disk.
 * Closing ends the processes in it and removes it.
 */
public final class ThrottledGroup implements AutoCloseable {
    private final ChildGroup group;
    private final BlockDevice disk;

    private ThrottledGroup(ChildGroup group, BlockDevice disk) {
        this.group = group;
        this.disk = disk;
    }

    /** What holds for processes in a group that use a disk. */
    private interface Rates {
        void set(ChildGroup group, BlockDevice disk) throws IOException;
    }

    /**
     * Makes a group whose reads are held.
     *
     * @param name of letters, unique among the groups that this process makes
     * @param file on the disk that is meant
     * @param readsPerSecond most reads of that disk
     * @param bytesPerSecond most bytes read from it
     * @throws NotPermittedException if this machine does not let us, or the file is on no disk of its own
     */
    public static ThrottledGroup ofReads(String name, Path file, int readsPerSecond, long bytesPerSecond)
            throws IOException, NotPermittedException {
        return create(name, file, (group, disk) -> {
            if (group.isLegacy()) {
                group.set("blkio.throttle.read_iops_device", disk + " " + readsPerSecond);
                group.set("blkio.throttle.read_bps_device", disk + " " + bytesPerSecond);
            } else {
                group.set("io.max", "%s riops=%d rbps=%d".formatted(disk, readsPerSecond, bytesPerSecond));
            }
        });
    }

    /**
     * Makes a group whose writes are held; for certain only those past the page cache, as v1 does not know who has written
     * what is in it.
     *
     * @param name of letters, unique among the groups that this process makes
     * @param file on the disk that is meant
     * @param bytesPerSecond most bytes written to it
     * @throws NotPermittedException if this machine does not let us, or the file is on no disk of its own
     */
    public static ThrottledGroup ofWrites(String name, Path file, long bytesPerSecond)
            throws IOException, NotPermittedException {
        return create(name, file, (group, disk) -> {
            if (group.isLegacy()) {
                group.set("blkio.throttle.write_bps_device", disk + " " + bytesPerSecond);
            } else {
                group.set("io.max", "%s wbps=%d".formatted(disk, bytesPerSecond));
            }
        });
    }

    private static ThrottledGroup create(String name, Path file, Rates rates)
            throws IOException, NotPermittedException {
        BlockDevice disk = BlockDevice.under(file)
                .orElseThrow(() -> new NotPermittedException(file
                        + " is on no disk that the kernel can hold to a rate (memory, network or overlay):"
                        + " name a directory on a disk"));
        return new ThrottledGroup(
                ChildGroup.create(ChildGroup.Controller.DISKS, name, made -> rates.set(made, disk)), disk);
    }

    /** Writing a process id here moves the process into the group. */
    public Path members() {
        return group.members();
    }

    /** Reads of the disk that its processes made so far. */
    public long reads() throws IOException {
        boolean legacy = group.isLegacy();
        List<String> lines =
                Files.readAllLines(group.directory().resolve(legacy ? "blkio.throttle.io_serviced" : "io.stat"));
        return lines.stream()
                .filter(line -> line.startsWith(disk + " "))
                .mapToLong(legacy ? ThrottledGroup::legacyReads : ThrottledGroup::unifiedReads)
                .sum();
    }

    /** {@code 254:0 Read 625}, and a line for each other kind. */
    private static long legacyReads(String line) {
        String[] fields = line.split(" ", -1);
        return fields.length == 3 && fields[1].equals("Read") ? Long.parseLong(fields[2]) : 0;
    }

    /** {@code 254:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0}. */
    private static long unifiedReads(String line) {
        return Arrays.stream(line.split(" ", -1))
                .filter(field -> field.startsWith("rios="))
                .mapToLong(field -> Long.parseLong(field.substring("rios=".length())))
                .sum();
    }

    @Override
    public void close() throws IOException {
        group.close();
    }
}
