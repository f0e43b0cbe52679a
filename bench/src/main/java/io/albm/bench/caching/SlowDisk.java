// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.process.ChildProcess;
import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cgroup.ThrottledGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The disk under the servers: the machine's own, whose reads the kernel holds to the rate of the paper's time. Servers of
 * which only one is asked at a time may share it. Where the kernel does not let us, the disk is as fast as it is, and no
 * figure says anything about the paper's.
 */
final class SlowDisk implements AutoCloseable {
    /** As many files as a disk of the paper's time can read: seeks for the name and the content, and half a turn. */
    static final int READS_PER_SECOND = 60;

    static final long BYTES_PER_SECOND = 20_000_000;

    private final Optional<ThrottledGroup> group;

    private SlowDisk(Optional<ThrottledGroup> group) {
        this.group = group;
    }

    /**
     * Slows the disk that a directory is on; says why if that cannot be.
     *
     * @param name of letters and digits, unique among those that this process makes
     */
    static SlowDisk under(Path directory, String name, Consumer<String> notice) throws IOException {
        try {
            return new SlowDisk(
                    Optional.of(ThrottledGroup.ofReads(name, directory, READS_PER_SECOND, BYTES_PER_SECOND)));
        } catch (NotPermittedException e) {
            notice.accept("THE DISK IS NOT SLOWED: " + e.getMessage());
            return new SlowDisk(Optional.empty());
        }
    }

    private boolean isSlow() {
        return group.isPresent();
    }

    /** Why figures say nothing of a slow disk; empty if they do. */
    Optional<String> whyNotSlow() {
        return isSlow() ? Optional.empty() : Optional.of("the disk is " + description());
    }

    /** For the report. */
    String description() {
        return isSlow()
                ? "the kernel holds reads to %d/s and %d MB/s".formatted(READS_PER_SECOND, BYTES_PER_SECOND / 1_000_000)
                : "as fast as it is: this says nothing about servers that wait for their disk";
    }

    /** Slows the disk for a process that has started: a JVM that starts from a slow disk takes a minute. */
    void slow(ChildProcess process) throws IOException {
        if (isSlow()) {
            Files.writeString(group.orElseThrow().members(), Long.toString(process.pid()));
        }
    }

    /** Reads of the disk so far; 0 if nobody counts. */
    long reads() throws IOException {
        return isSlow() ? group.orElseThrow().reads() : 0;
    }

    @Override
    public void close() throws IOException {
        if (group.isPresent()) {
            group.get().close();
        }
    }
}
