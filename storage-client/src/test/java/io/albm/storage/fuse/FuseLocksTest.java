// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A file system that has locks itself, and tells the kernel what has changed. */
@Timeout(60)
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class FuseLocksTest {
    @TempDir
    Path directory;

    private final OneLock files = new OneLock();
    private final List<Process> processes = new ArrayList<>();
    private FuseSession session;
    private Path file;
    private int open;

    /** Has one lock, whatever is asked for. */
    private static final class OneLock extends MemoryFileSystem {
        private final List<String> asked = new ArrayList<>();
        private KernelCache kernel = KernelCache.NONE;
        private @Nullable RangeLock held;
        private long holder;
        private long handles = 100;
        private int waiting;
        private int interrupted;

        @Override
        public void begin(KernelCache cache) {
            kernel = cache;
        }

        @Override
        public synchronized Opened open(long inode, OpenFlags flags) throws IOException {
            Opened opened = super.open(inode, flags);
            return new Opened(handles++, opened.keepsCache(), opened.direct());
        }

        @Override
        public boolean hasLocks() {
            return true;
        }

        @Override
        public synchronized boolean lock(long inode, long handle, RangeLock lock, Duration patience)
                throws InterruptedException {
            asked.add(lock.owner().kind() + " " + lock.range().start() + "-"
                    + lock.range().end() + (lock.exclusive() ? " exclusive" : " shared"));
            waiting++;
            try {
                while (held != null && !patience.isZero()) {
                    wait();
                }
            } catch (InterruptedException e) {
                interrupted++;
                throw e;
            } finally {
                waiting--;
            }
            boolean isFree = held == null;
            holder = isFree ? handle : holder;
            held = isFree ? lock : held;
            return isFree;
        }

        @Override
        public synchronized void unlock(long inode, long handle, LockOwner owner, LockRange range) {
            if (held != null && held.owner().equals(owner)) {
                free();
            }
        }

        private void free() {
            held = null;
            notifyAll();
        }

        @Override
        public Optional<RangeLock> blocker(long inode, long handle, RangeLock wanted) {
            return Optional.ofNullable(held);
        }

        @Override
        public void flush(long inode, long handle, LockOwner owner) {
            unlock(inode, handle, owner, LockRange.ALL);
        }

        @Override
        public void release(long inode, long handle) throws IOException {
            super.release(inode, handle);
            synchronized (this) {
                if (holder == handle && held != null) {
                    free();
                }
            }
        }

        synchronized boolean isHeld() {
            return held != null;
        }

        synchronized int waiting() {
            return waiting;
        }

        synchronized int interrupted() {
            return interrupted;
        }
    }

    @BeforeEach
    void mount() throws IOException {
        session = FuseSession.mount(files, directory, MemoryFileSystem.OPTIONS);
        file = Files.writeString(directory.resolve("f"), "content");
        open = FcntlLock.open(file, 0);
    }

    @AfterEach
    void unmount() throws IOException {
        FcntlLock.close(open);
        processes.forEach(Process::destroyForcibly);
        session.close();
        assertThat(session.hasEnded()).isTrue();
    }

    /** Waits for the lock, and gives it back. */
    private Process locker() throws IOException {
        Process process = new ProcessBuilder("flock", file.toString(), "true")
                .redirectErrorStream(true)
                .start();
        processes.add(process);
        return process;
    }

    @Test
    void asksForWhatProgramsAskFor() {
        assertThat(FcntlLock.set(open, FcntlLock.WRITE, 10, 5)).isZero();
        assertThat(FcntlLock.set(open, FcntlLock.READ, 0, 1)).isEqualTo(-Errno.EAGAIN.code());
        assertThat(FcntlLock.get(open, FcntlLock.READ, 0, 0)).isEqualTo(FcntlLock.WRITE);
        assertThat(FcntlLock.set(open, FcntlLock.UNLOCK, 0, 0)).isZero();
        assertThat(FcntlLock.get(open, FcntlLock.WRITE, 0, 0)).isEqualTo(FcntlLock.UNLOCK);
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_SH)).isZero();
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_EX | FcntlLock.LOCK_NB)).isEqualTo(-Errno.EAGAIN.code());

        String all = "0-" + Long.MAX_VALUE;
        assertThat(files.asked)
                .containsExactly(
                        "POSIX 10-14 exclusive",
                        "POSIX 0-0 shared",
                        "FLOCK " + all + " shared",
                        "FLOCK " + all + " exclusive");
    }

    @Test
    void thoseWhoWaitForLocksHoldUpNobodyElse() throws Exception {
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_EX)).isZero();
        int many = 3 * MemoryFileSystem.OPTIONS.threads();
        for (int i = 0; i < many; i++) {
            Process _ = locker();
        }
        await().until(() -> files.waiting() == many);

        assertThat(Files.writeString(directory.resolve("other"), "works")).hasContent("works");
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_UN)).isZero();
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void whoIsKilledWaitsNoLonger() throws Exception {
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_EX)).isZero();
        Process waiting = locker();
        await().until(() -> files.waiting() == 1);

        waiting.destroyForcibly().waitFor();

        await().until(() -> files.interrupted() == 1);
        assertThat(files.waiting()).isZero();
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_UN)).isZero();
    }

    @Test
    void theEndOfTheMountEndsWaiting() throws Exception {
        assertThat(FcntlLock.flock(open, FcntlLock.LOCK_EX)).isZero();
        Process waiting = locker();
        await().until(() -> files.waiting() == 1);

        session.close();

        assertThat(waiting.waitFor()).isNotZero();
        assertThat(files.waiting()).isZero();
    }

    @Test
    void closingAnyDescriptorEndsTheLocksOfAProcessAndTheLastOneThoseOfADescription() {
        int second = FcntlLock.open(file, 0);
        assertThat(FcntlLock.set(open, FcntlLock.WRITE, 0, 0)).isZero();
        FcntlLock.close(second);
        assertThat(files.isHeld()).isFalse();

        int third = FcntlLock.open(file, 0);
        assertThat(FcntlLock.setOfd(third, FcntlLock.WRITE, 0, 0)).isZero();
        FcntlLock.close(FcntlLock.open(file, 0));
        assertThat(files.isHeld()).isTrue();
        FcntlLock.close(third);
        await().until(() -> !files.isHeld());
    }

    private static String read(FileChannel from) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(100);
        from.read(read, 0);
        return new String(read.array(), 0, read.position(), UTF_8);
    }

    private void changeBehindTheKernel(String content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(UTF_8));
        files.write(inode(), 0, 0, bytes, new OpenFlags(0, false));
    }

    private long inode() throws IOException {
        return (long) Files.getAttribute(file, "unix:ino");
    }

    @Test
    void theKernelForgetsWhatItIsToldToForget() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThat(read(channel)).isEqualTo("content");
            changeBehindTheKernel("changed");
            assertThat(read(channel)).isEqualTo("content");

            files.kernel.drop(inode()).join();

            assertThat(read(channel)).isEqualTo("changed");
            files.kernel.drop(12_345).join();
        }
    }

    @Test
    void whoAppendsGoesByTheLengthThatTheKernelWasTold() throws IOException {
        int appending = FcntlLock.open(file, FcntlLock.O_APPEND);
        changeBehindTheKernel("content and more");

        files.kernel.grow(inode(), 16, (byte) 'e').join();

        assertThat(Libc.call("write", appending, "!", 1L)).isEqualTo(1);
        FcntlLock.close(appending);
        assertThat(file).hasContent("content and more!");
    }
}
