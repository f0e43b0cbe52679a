// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when a node checks all its blocks again: an interval after it was through with them last, which it remembers on disk, so that
 * a node that is restarted more often than that checks them, too. For one thread at a time.
 */
final class ScrubSchedule {
    private static final Logger log = LoggerFactory.getLogger(ScrubSchedule.class);
    private static final String DIRECTORY = "scrub";
    private static final String FILE = DIRECTORY + "/through";
    private static final int MOST_DIGITS = 20;

    private final BlockDisk disk;
    private final Duration interval;
    private final InstantSource wallClock;

    ScrubSchedule(BlockDisk disk, Duration interval, InstantSource wallClock) {
        this.disk = disk;
        this.interval = interval;
        this.wallClock = wallClock;
    }

    Duration interval() {
        return interval;
    }

    /** How long until the next check: none if it is due, an interval if the node has never begun to count. */
    Duration left() throws IOException {
        if (disk.bytes(FILE).isEmpty()) {
            through();
            return interval;
        }
        Duration since = Duration.between(last(), wallClock.instant());
        // Set back, a clock would put the check off by as much.
        return since.isNegative() || since.compareTo(interval) >= 0 ? Duration.ZERO : interval.minus(since);
    }

    /** The node has looked at all its blocks. On a disk that does not take a note of that, it does so again after a restart. */
    void through() {
        String now = Long.toString(wallClock.instant().getEpochSecond());
        try {
            disk.writeDurably(FILE, Unpooled.copiedBuffer(now, StandardCharsets.US_ASCII));
            disk.syncDirectory(DIRECTORY);
        } catch (IOException failure) {
            log.warn("no note of the scrub could be left: {}", failure.getMessage());
        }
    }

    /** Long ago if nobody can read it. */
    private Instant last() throws IOException {
        try (BlockFile file = disk.open(FILE)) {
            ByteBuf bytes = file.read(0, MOST_DIGITS, ByteBufAllocator.DEFAULT);
            try {
                return Instant.ofEpochSecond(Long.parseLong(bytes.toString(StandardCharsets.US_ASCII)));
            } catch (NumberFormatException torn) {
                return Instant.EPOCH;
            } finally {
                bytes.release();
            }
        }
    }
}
