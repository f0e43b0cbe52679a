// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.http.AccessFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of requests that were answered. Event loops put lines together ({@link AccessLines}) and hand them over in
 * blocks; one thread writes. No event loop waits for a disk: at most {@value #MAX_BLOCKS} blocks wait, and the lines of
 * those beyond are dropped and counted.
 *
 * <p>A file that was moved away is left and made anew within a second, as tools that rotate logs expect. Thread-safe.
 */
public final class AccessLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final int MAX_BLOCKS = 64;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_MILLIS = 2_000;

    private final Path file;
    private final AccessFormat format;
    private final LongAdder dropped;
    private final BlockingQueue<Block> blocks = new ArrayBlockingQueue<>(MAX_BLOCKS);
    private final Thread writer =
            Thread.ofPlatform().daemon().name("albm-access-log").unstarted(this::write);
    private FileChannel channel;
    private @Nullable Object fileKey;
    private long lookedAtNanos;
    private boolean failing;

    /** Some lines; an empty one ends the writing. */
    private record Block(ByteBuffer text, int lines) {}

    private AccessLog(Path file, AccessFormat format, LongAdder dropped) throws IOException {
        this.file = file;
        this.format = format;
        this.dropped = dropped;
        this.channel = open();
    }

    /**
     * Opens the file, which is appended to.
     *
     * @param dropped counts lines that could not be written
     * @throws IOException if it cannot be written to; the message names it
     */
    public static AccessLog open(Path file, AccessFormat format, LongAdder dropped) throws IOException {
        try {
            var log = new AccessLog(file, format, dropped);
            log.writer.start();
            return log;
        } catch (IOException e) {
            throw new IOException("access log " + file + ": expected a file that can be written to (" + e + ")", e);
        }
    }

    private FileChannel open() throws IOException {
        FileChannel opened = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        fileKey = key();
        lookedAtNanos = System.nanoTime();
        return opened;
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    AccessFormat format() {
        return format;
    }

    /** Takes over the buffer. */
    void offer(ByteBuffer text, int lines) {
        if (!blocks.offer(new Block(text, lines))) {
            dropped.add(lines);
        }
    }

    private void write() {
        try {
            Block block = blocks.take();
            while (block.lines > 0) {
                write(block);
                block = blocks.take();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeChannel();
        }
    }

    private void write(Block block) {
        try {
            followRotation();
            while (block.text.hasRemaining()) {
                channel.write(block.text);
            }
            failing = false;
        } catch (IOException e) {
            dropped.add(block.lines);
            if (!failing) {
                failing = true;
                LOG.error("access log {}: lines are dropped: {}", file, e.toString());
            }
        }
    }

    private void followRotation() throws IOException {
        if (System.nanoTime() - lookedAtNanos < LOOK_NANOS) {
            return;
        }
        lookedAtNanos = System.nanoTime();
        if (!Files.exists(file) || !Objects.equals(fileKey, key())) {
            FileChannel old = channel;
            channel = open();
            old.close();
        }
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.error("access log {}: {}", file, e.toString());
        }
    }

    /** Writes what was handed over, and ends. */
    @Override
    public void close() {
        try {
            if (blocks.offer(new Block(ByteBuffer.allocate(0), 0), CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                writer.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
