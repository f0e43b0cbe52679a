// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages to the kernel that answer no request. They have threads of their own: each may take as long as a read or write of
 * the file that is under way. Who wants a file dropped that waits to be dropped waits for the same message, so no more wait than there are
 * files, and locks that are being taken. Thread-safe.
 */
final class Notices implements KernelCache, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Notices.class);

    private static final int INVALIDATE_INODE = 2;
    private static final int STORE = 4;
    private static final int MOST_BYTES = 64;

    /** A file whose pages take long holds up one of them. */
    private static final int THREADS = 4;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final FuseDevice device;
    private final ThreadPoolExecutor threads;
    private final Map<Long, CompletableFuture<Void>> drops = new ConcurrentHashMap<>();

    /** @param mount what the threads are named after */
    Notices(FuseDevice device, String mount) {
        this.device = device;
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform()
                        .daemon()
                        .name("fuse-" + mount + "-notices-", 0)
                        .factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public CompletableFuture<Void> drop(long inode) {
        return drops.computeIfAbsent(
                inode,
                number -> send(() -> {
                    drops.remove(number);
                    invalidate(number);
                }));
    }

    @Override
    public CompletableFuture<Void> grow(long inode, long length, byte last) {
        return send(() -> {
            store(inode, length - 1, last);
            invalidate(inode);
        });
    }

    private CompletableFuture<Void> send(Runnable messages) {
        try {
            return CompletableFuture.runAsync(messages, threads);
        } catch (RejectedExecutionException ended) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** {@code struct fuse_notify_inval_inode_out}: from the start, all of it. */
    private void invalidate(long inode) {
        send(INVALIDATE_INODE, message().putLong(inode).putLong(0).putLong(0));
    }

    /** {@code struct fuse_notify_store_out}, and a byte. */
    private void store(long inode, long offset, byte value) {
        send(STORE, message().putLong(inode).putLong(offset).putInt(1).putInt(0).put(value));
    }

    private static ByteBuffer message() {
        return ByteBuffer.allocate(MOST_BYTES).order(ByteOrder.nativeOrder()).position(ReplyWriter.HEADER_BYTES);
    }

    /** A file that the kernel does not know any more is as it should be: ENOENT. */
    private void send(int code, ByteBuffer message) {
        ReplyWriter.notice(message, code);
        int error = device.send(message);
        if (error != 0 && error != -Errno.ENOENT.code() && error != -Errno.ENODEV.code()) {
            log.error("the kernel refused notice {}: {}", code, Errno.text(-error));
        }
    }

    /** Sends no more. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
