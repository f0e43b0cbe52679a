// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks of channels, in two programs that share a storage. */
@Timeout(60)
final class ChannelLocksTest {
    private final LocalFiles files = new LocalFiles();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private FileSystem albm;
    private FileSystem other;
    private FileChannel mine;
    private FileChannel theirs;

    @BeforeEach
    void open() throws IOException {
        albm = files.open(LocalFiles.FIRST);
        other = files.open(LocalFiles.SECOND);
        Path file = Files.writeString(albm.getPath("/file"), "content");
        mine = FileChannel.open(file, READ, WRITE);
        theirs = FileChannel.open(other.getPath("/file"), READ, WRITE);
    }

    @AfterEach
    void close() throws IOException {
        threads.shutdownNow();
        albm.close();
        other.close();
    }

    private static String read(FileChannel from) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(100);
        from.read(read, 0);
        return new String(read.array(), 0, read.position(), UTF_8);
    }

    private static void write(FileChannel to, String text) throws IOException {
        to.write(ByteBuffer.wrap(text.getBytes(UTF_8)), 0);
    }

    @Test
    void locksHoldAmongPrograms() throws IOException {
        FileLock lock = mine.lock(10, 5, false);
        assertThat(theirs.tryLock(14, 1, true)).isNull();
        assertThat(theirs.tryLock(0, 0, true)).isNull();
        assertThat(theirs.tryLock(15, 0, false)).isNotNull();
        assertThat(lock.isValid()).isTrue();
        lock.release();
        lock.release();
        assertThat(lock.isValid()).isFalse();
        assertThat(theirs.tryLock(0, 15, false)).isNotNull();
    }

    @Test
    void whoHasALockSeesWhatWasWrittenUnderTheOneBefore() throws IOException {
        assertThat(read(theirs)).isEqualTo("content");
        try (FileLock lock = mine.lock()) {
            write(mine, "changed and longer");
            assertThat(lock.isShared()).isFalse();
        }
        try (FileLock lock = theirs.lock(0, Long.MAX_VALUE, true)) {
            assertThat(read(theirs)).isEqualTo("changed and longer");
            assertThat(theirs.size()).isEqualTo(18);
            assertThat(lock.isShared()).isTrue();
        }
    }

    @Test
    void locksOfOneProgramDoNotOverlap() throws IOException {
        try (FileChannel second = FileChannel.open(albm.getPath("/file"), READ, WRITE)) {
            FileLock lock = mine.lock(0, 10, true);
            assertThatThrownBy(() -> second.tryLock(9, 1, true)).isInstanceOf(OverlappingFileLockException.class);
            assertThatThrownBy(() -> mine.lock(0, 1, true)).isInstanceOf(OverlappingFileLockException.class);
            assertThat(second.tryLock(10, 10, false)).isNotNull();
            lock.release();
            assertThat(second.tryLock(0, 10, true)).isNotNull();
        }
        assertThat(theirs.tryLock()).isNotNull();
    }

    @Test
    void closingAChannelEndsItsLocksAndNoOthers() throws IOException {
        FileChannel second = FileChannel.open(albm.getPath("/file"), READ, WRITE);
        FileLock lock = mine.lock(0, 10, false);
        FileLock ended = second.lock(10, 10, false);
        second.close();
        assertThat(lock.isValid()).isTrue();
        assertThat(ended.isValid()).isFalse();
        assertThatThrownBy(ended::release).isInstanceOf(ClosedChannelException.class);
        assertThat(theirs.tryLock(0, 10, false)).isNull();
        assertThat(mine.tryLock(10, 5, false)).isNotNull();
        assertThat(theirs.tryLock(15, 5, false)).isNotNull();
    }

    @Test
    void waitsUntilAnotherProgramGivesItsLockBack() throws Exception {
        FileLock held = theirs.lock();
        Future<FileLock> waiting = threads.submit(() -> mine.lock());
        awaitOneWhoWaits();
        assertThat(waiting).isNotDone();
        held.release();
        assertThat(waiting.get().isValid()).isTrue();
        assertThat(theirs.tryLock()).isNull();
    }

    /** Of this program nobody else may lock what somebody waits for. */
    private void awaitOneWhoWaits() {
        await().untilAsserted(() ->
                assertThatThrownBy(() -> mine.tryLock()).isInstanceOf(OverlappingFileLockException.class));
    }

    @Test
    void anInterruptEndsWaitingAndLeavesTheChannelOpen() throws Exception {
        assertThat(theirs.lock().isValid()).isTrue();
        FutureTask<FileLock> waiting = new FutureTask<>(() -> mine.lock());
        Thread thread = Thread.startVirtualThread(waiting);
        awaitOneWhoWaits();
        thread.interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(FileLockInterruptionException.class);
        assertThat(mine.isOpen()).isTrue();
    }

    @Test
    void closingTheChannelEndsWaiting() throws Exception {
        assertThat(theirs.lock().isValid()).isTrue();
        Future<FileLock> waiting = threads.submit(() -> mine.lock());
        awaitOneWhoWaits();
        mine.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void locksOnlyAsItWasOpened() throws IOException {
        try (FileChannel reader = FileChannel.open(albm.getPath("/file"), READ);
                FileChannel writer = FileChannel.open(albm.getPath("/file"), WRITE)) {
            assertThatThrownBy(reader::lock).isInstanceOf(NonWritableChannelException.class);
            assertThatThrownBy(() -> writer.tryLock(0, 1, true)).isInstanceOf(NonReadableChannelException.class);
            assertThatThrownBy(() -> writer.lock(-1, 1, false)).isInstanceOf(IllegalArgumentException.class);
        }
        mine.close();
        assertThatThrownBy(mine::lock).isInstanceOf(ClosedChannelException.class);
    }
}
