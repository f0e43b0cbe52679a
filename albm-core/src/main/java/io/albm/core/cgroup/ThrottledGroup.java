// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A machine with a slow disk, as far as the processes in it can tell: a control group of its own below this process's
 * group, whose reads of one disk the kernel holds to a rate. A read that the page cache answers is no read of the disk.
 * Closing ends the processes in it and removes it.
 */
public final class ThrottledGroup implements AutoCloseable {
    private final ChildGroup group;
    private final BlockDevice disk;

    private ThrottledGroup(ChildGroup group, BlockDevice disk) {
        this.group = group;
        this.disk = disk;
    }

    /**
     * Makes the group.
     *
     * @param name of letters, unique among the groups that this process makes
     * @param file on the disk that is meant
     * @param readsPerSecond most reads of that disk
     * @param bytesPerSecond most bytes read from it
     * @throws NotPermittedException if this machine does not let us, or the file is on no disk of its own
     */
    public static ThrottledGroup create(String name, Path file, int readsPerSecond, long bytesPerSecond)
            throws IOException, NotPermittedException {
        BlockDevice disk = BlockDevice.under(file)
                .orElseThrow(() -> new NotPermittedException(file
                        + " is on no disk whose reads the kernel can hold to a rate (memory, network or overlay):"
                        + " name a directory on a disk"));
        ChildGroup group = ChildGroup.create(ChildGroup.Controller.DISKS, name, made -> {
            if (made.isLegacy()) {
                made.set("blkio.throttle.read_iops_device", disk + " " + readsPerSecond);
                made.set("blkio.throttle.read_bps_device", disk + " " + bytesPerSecond);
            } else {
                made.set("io.max", "%s riops=%d rbps=%d".formatted(disk, readsPerSecond, bytesPerSecond));
            }
        });
        return new ThrottledGroup(group, disk);
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
