// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.albm.storage.FileTable;
import io.albm.storage.LockOwner;
import io.albm.storage.LockOwner.Kind;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.KernelCache;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class FileLocksTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final LockOwner SECOND = new LockOwner(Kind.POSIX, 2);

    private final LocalStorage storage = new LocalStorage(100);
    private final Disturbed table = new Disturbed();
    private final StripedFileSystem mount = storage.mount(table::under);
    private final StripedFileSystem other = storage.mount();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private long inode;
    private long mine;
    private long theirs;

    /** A client's way to the table, which a test may cut. */
    private final class Disturbed implements FileTable {
        private volatile FileTable now = this;
        private final AtomicInteger failing = new AtomicInteger();
        private final AtomicInteger unlocks = new AtomicInteger();
        private final AtomicInteger questions = new AtomicInteger();

        FileTable under(FileTable first) {
            now = first;
            return this;
        }

        /** What the client does from now on it does in another session. */
        void endSession() {
            LocalTable ended = (LocalTable) now;
            storage.table.endSession(ended.client());
            now = new LocalTable(storage.table, ended.client() + "-again", ended.onTheWay());
        }

        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            questions.addAndGet(request instanceof TableQuery.Blocker ? 1 : 0);
            if (request instanceof TableCommand.Unlock) {
                unlocks.incrementAndGet();
                if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return CompletableFuture.failedFuture(new StorageException.TableUnavailable("meant by the test"));
                }
            }
            return now.ask(request);
        }
    }

    @BeforeEach
    void makeFile() throws Exception {
        Created created = mount.create(new Caller(0, 0, 1), InodeFileSystem.ROOT, "file", 0100644, LocalStorage.WRITE);
        inode = created.attributes().inode();
        mine = created.opened().handle();
        theirs = LocalStorage.open(other, inode, LocalStorage.WRITE);
    }

    @AfterEach
    void end() throws Exception {
        mount.end();
        other.end();
        threads.shutdownNow();
    }

    private static RangeLock lock(LockOwner owner, long start, long end, boolean exclusive) {
        return new RangeLock(owner, new LockRange(start, end), exclusive, 4711);
    }

    private boolean lock(StripedFileSystem by, LockOwner owner, Duration patience) throws Exception {
        return by.lock(inode, by == mount ? mine : theirs, lock(owner, 0, 9, true), patience);
    }

    private boolean lock(StripedFileSystem by) throws Exception {
        return lock(by, LocalStorage.OWNER, Duration.ZERO);
    }

    private void unlock(StripedFileSystem by) throws Exception {
        by.unlock(inode, by == mount ? mine : theirs, LocalStorage.OWNER, LockRange.ALL);
    }

    private void write(StripedFileSystem by, String content) throws Exception {
        by.write(inode, by == mount ? mine : theirs, 0, ByteBuffer.wrap(content.getBytes(UTF_8)), LocalStorage.WRITE);
    }

    private String read(StripedFileSystem by) throws Exception {
        ByteBuffer target = ByteBuffer.allocate(100);
        by.read(inode, by == mount ? mine : theirs, 0, target);
        return new String(target.array(), 0, target.position(), UTF_8);
    }

    @Test
    void whatIsWrittenUnderALockIsThereForTheNext() throws Exception {
        assertThat(lock(mount)).isTrue();
        assertThat(lock(other)).isFalse();
        write(mount, "first");
        assertThat(read(other)).isEmpty();
        unlock(mount);

        assertThat(lock(other)).isTrue();
        assertThat(read(other)).isEqualTo("first");
    }

    /** Drops what it is told to drop when the test lets it. */
    private static final class SlowKernel implements KernelCache {
        private final CompletableFuture<Void> dropped = new CompletableFuture<>();
        private final AtomicInteger drops = new AtomicInteger();

        @Override
        public CompletableFuture<Void> drop(long inode) {
            drops.incrementAndGet();
            return dropped;
        }

        @Override
        public CompletableFuture<Void> grow(long inode, long length, byte last) {
            return drop(inode);
        }
    }

    @Test
    void theKernelKeepsWhatThisMountAloneHasChanged() throws Exception {
        SlowKernel kernel = new SlowKernel();
        mount.begin(kernel);
        for (int round = 0; round < 3; round++) {
            assertThat(lock(mount)).isTrue();
            write(mount, "round " + round);
            unlock(mount);
        }
        assertThat(lock(mount, SECOND, Duration.ZERO)).isTrue();
        assertThat(kernel.drops).hasValue(0);
    }

    @Test
    void theKernelHasDroppedWhatOthersHaveChangedWhenALockIsThere() throws Exception {
        SlowKernel kernel = new SlowKernel();
        mount.begin(kernel);
        write(other, "theirs");
        other.flush(inode, theirs, SECOND);
        Future<Boolean> locking = threads.submit(() -> lock(mount));
        await().until(() -> kernel.drops.get() == 1);
        assertThat(locking).isNotDone();
        kernel.dropped.complete(null);
        assertThat(locking.get()).isTrue();
        assertThat(lock(mount, LocalStorage.OWNER, Duration.ZERO)).isTrue();
        assertThat(kernel.drops).hasValue(1);
    }

    /** A thread that the kernel needs for dropping may have to give it back. */
    @Test
    void givingALockBackDoesNotWaitForTheKernel() throws Exception {
        mount.begin(new SlowKernel());
        assertThat(lock(mount)).isTrue();
        write(mount, "mine");
        other.write(inode, theirs, 10, ByteBuffer.wrap(new byte[] {'t'}), LocalStorage.WRITE);
        other.flush(inode, theirs, SECOND);
        unlock(mount);
        assertThat(lock(other)).isTrue();
        assertThat(read(other)).startsWith("mine").endsWith("t");
    }

    @Test
    void whatBlocksIsToldWithItsProcessIfThatIsHere() throws Exception {
        RangeLock wanted = lock(SECOND, 5, 100, false);
        assertThat(mount.blocker(inode, mine, wanted)).isEmpty();
        assertThat(lock(mount)).isTrue();

        assertThat(mount.blocker(inode, mine, wanted)).contains(lock(LocalStorage.OWNER, 0, 9, true));
        assertThat(other.blocker(inode, theirs, wanted).orElseThrow().pid()).isZero();
    }

    @Test
    void whoWaitsHasTheLockWhenItIsFreeAndNotBefore() throws Exception {
        assertThat(lock(other)).isTrue();
        Future<Boolean> waiting = threads.submit(() -> lock(mount, LocalStorage.OWNER, LONG));
        await().until(() -> table.questions.get() > 1);
        assertThat(lock(mount, SECOND, Duration.ofMillis(1))).isFalse();
        assertThat(waiting).isNotDone();

        unlock(other);

        assertThat(waiting.get()).isTrue();
        assertThat(lock(other)).isFalse();
    }

    @Test
    void whoIsInterruptedWaitsNoLongerAndHasNoLock() throws Exception {
        assertThat(lock(other)).isTrue();
        Future<Boolean> waiting = threads.submit(() -> lock(mount, LocalStorage.OWNER, LONG));
        await().until(() -> table.questions.get() > 1);

        waiting.cancel(true);
        unlock(other);

        await().until(() -> lock(other, SECOND, Duration.ZERO));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void closingEndsLocks(Kind kind) throws Exception {
        LockOwner owner = new LockOwner(kind, 1);
        long second = LocalStorage.open(mount, inode, LocalStorage.WRITE);
        assertThat(mount.lock(inode, second, lock(owner, 0, 9, true), Duration.ZERO))
                .isTrue();
        if (kind == Kind.POSIX) {
            mount.flush(inode, mine, owner);
        } else {
            mount.release(inode, second);
        }
        assertThat(lock(other, owner, Duration.ZERO)).isTrue();
    }

    @Test
    void whoNeverLockedCostsNothingToClose() throws Exception {
        assertThat(lock(mount)).isTrue();
        unlock(mount);
        int before = table.unlocks.get();
        mount.flush(inode, mine, LocalStorage.OWNER);
        mount.flush(inode, mine, SECOND);
        mount.release(inode, mine);
        assertThat(table.unlocks).hasValue(before);
    }

    @Test
    void anOwnerThatHasGivenBackAPartOfItIsStillKnown() throws Exception {
        assertThat(lock(mount)).isTrue();
        mount.unlock(inode, mine, LocalStorage.OWNER, new LockRange(0, 4));
        assertThat(lock(other)).isFalse();
        mount.flush(inode, mine, LocalStorage.OWNER);
        assertThat(lock(other)).isTrue();
    }

    @Test
    void locksThatCouldNotBeGivenBackAreGivenBackLater() throws Exception {
        assertThat(lock(mount)).isTrue();
        table.failing.set(2);
        mount.flush(inode, mine, LocalStorage.OWNER);

        await().until(() -> lock(other));
        assertThat(table.unlocks.get()).isGreaterThan(2);
    }

    @Test
    void anOldLockIsGivenBackBeforeItsOwnerGetsANewOne() throws Exception {
        assertThat(mount.lock(inode, mine, lock(LocalStorage.OWNER, 0, Long.MAX_VALUE, true), Duration.ZERO))
                .isTrue();
        table.failing.set(1);
        mount.flush(inode, mine, LocalStorage.OWNER);

        assertThat(lock(mount)).isTrue();

        assertThat(other.lock(inode, theirs, lock(SECOND, 10, 20, true), Duration.ZERO))
                .isTrue();
        assertThat(lock(other)).isFalse();
    }

    @Test
    void anUnlockThatFailsSaysSoAndTheLockStays() throws Exception {
        assertThat(lock(mount)).isTrue();
        table.failing.set(1);
        assertThatIOException().isThrownBy(() -> unlock(mount));
        assertThat(lock(other)).isFalse();
        unlock(mount);
        assertThat(lock(other)).isTrue();
    }

    @Test
    void nothingIsStoredUnderLocksThatAreOver() throws Exception {
        assertThat(lock(mount)).isTrue();
        write(mount, "mine");
        table.endSession();
        assertThat(lock(other)).isTrue();
        write(other, "theirs");
        unlock(other);

        assertThatIOException().isThrownBy(() -> mount.flush(inode, mine, LocalStorage.OWNER));
        assertThatIOException().isThrownBy(() -> write(mount, "more"));
        assertThat(lock(other)).isTrue();
        assertThat(read(other)).isEqualTo("theirs");

        assertThatIOException().isThrownBy(() -> mount.release(inode, mine));
        mine = LocalStorage.open(mount, inode, LocalStorage.WRITE);
        assertThat(read(mount)).isEqualTo("theirs");
    }

    @Test
    void allFilesFailWhoseLocksAreOverWhenAnotherSessionIsHeardOf() throws Exception {
        Created second = mount.create(new Caller(0, 0, 1), InodeFileSystem.ROOT, "second", 0100644, LocalStorage.WRITE);
        long handle = second.opened().handle();
        assertThat(lock(mount)).isTrue();
        table.endSession();

        assertThat(mount.lock(second.attributes().inode(), handle, lock(SECOND, 0, 0, true), Duration.ZERO))
                .isTrue();

        assertThatIOException().isThrownBy(() -> write(mount, "more"));
        mount.write(
                second.attributes().inode(), handle, 0, ByteBuffer.wrap("works".getBytes(UTF_8)), LocalStorage.WRITE);
        mount.flush(second.attributes().inode(), handle, SECOND);
        assertThat(other.lookup(InodeFileSystem.ROOT, "second").size()).isEqualTo(5);
    }

    /** The first who hears of another session may wait for other files before he comes to the one that is locked. */
    @Test
    void nothingIsStoredUnderANewLockThatWasWrittenUnderOneThatIsOver() throws Exception {
        CompletableFuture<Void> sealed = new CompletableFuture<>();
        Created locked = create("locked");
        Created third = create("third");
        assertThat(lockNew(locked, LocalStorage.OWNER)).isTrue();
        mount.write(
                locked.attributes().inode(),
                locked.opened().handle(),
                0,
                ByteBuffer.wrap("mine".getBytes(UTF_8)),
                LocalStorage.WRITE);
        write(mount, "long".repeat(2000));
        storage.blocks.holdSeals(sealed);
        Future<?> storing = threads.submit(() -> {
            mount.flush(inode, mine, LocalStorage.OWNER);
            return true;
        });
        await().until(() -> storage.blocks.count() > 0);
        table.endSession();
        FutureTask<Boolean> first = new FutureTask<>(() -> lockNew(third, SECOND));
        Thread firstToHear = Thread.ofPlatform().start(first);
        await().until(() -> firstToHear.getState() == Thread.State.BLOCKED);

        assertThatIOException().isThrownBy(() -> lockNew(locked, SECOND));

        sealed.complete(null);
        await().until(storing::isDone);
        assertThat(first.get()).isTrue();
        assertThat(other.lookup(InodeFileSystem.ROOT, "locked").size()).isZero();
    }

    private Created create(String name) throws Exception {
        return mount.create(new Caller(0, 0, 1), InodeFileSystem.ROOT, name, 0100644, LocalStorage.WRITE);
    }

    private boolean lockNew(Created file, LockOwner owner) throws Exception {
        return mount.lock(file.attributes().inode(), file.opened().handle(), lock(owner, 0, 0, true), Duration.ZERO);
    }

    @Test
    void aLockThatComesToAFileThatHasFailedIsGivenBack() throws Exception {
        assertThat(lock(mount)).isTrue();
        table.endSession();

        assertThatIOException().isThrownBy(() -> lock(mount, SECOND, Duration.ZERO));

        assertThat(lock(other)).isTrue();
    }

    @Test
    void aFlockOfAnotherKindIsGivenUpByWhoWaits() throws Exception {
        LockOwner flock = new LockOwner(Kind.FLOCK, 1);
        RangeLock shared = lock(flock, 0, Long.MAX_VALUE, false);
        RangeLock exclusive = lock(flock, 0, Long.MAX_VALUE, true);
        assertThat(mount.lock(inode, mine, shared, Duration.ZERO)).isTrue();
        assertThat(other.lock(inode, theirs, shared, Duration.ZERO)).isTrue();
        assertThat(mount.lock(inode, mine, exclusive, Duration.ZERO)).isFalse();
        assertThat(other.lock(inode, theirs, exclusive, Duration.ZERO)).isFalse();

        Future<Boolean> first = threads.submit(() -> mount.lock(inode, mine, exclusive, LONG));
        await().until(() -> other.lock(inode, theirs, exclusive, Duration.ZERO));
        other.unlock(inode, theirs, flock, LockRange.ALL);
        assertThat(first.get()).isTrue();
    }

    @Test
    void tooManyLocksAreRefused() throws Exception {
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(() -> {
                    for (int at = 0; at < 5000; at++) {
                        mount.lock(inode, mine, lock(SECOND, 2L * at, 2L * at, true), Duration.ZERO);
                    }
                })
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(Errno.ENOLCK));
    }
}
