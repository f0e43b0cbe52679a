// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static io.albm.storage.mount.MountedFiles.OLD;
import static io.albm.storage.mount.MountedFiles.READ;
import static io.albm.storage.mount.MountedFiles.ROOT;
import static io.albm.storage.mount.MountedFiles.WRITE;
import static io.albm.storage.mount.MountedFiles.assertFails;
import static io.albm.storage.mount.MountedFiles.close;
import static io.albm.storage.mount.MountedFiles.read;
import static io.albm.storage.mount.MountedFiles.stored;
import static io.albm.storage.mount.MountedFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.albm.storage.FileTable;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.RenameMode;
import java.io.IOException;
import java.lang.Thread.State;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files that lose their names while they are open, or begin to be; without the kernel. */
final class RemovedFilesTest {
    private final LocalStorage storage = new LocalStorage(500_000);
    private final StripedFileSystem mount = storage.mount();
    private final StripedFileSystem other = storage.mount();

    @AfterEach
    void end() throws IOException, InterruptedException {
        mount.end();
        other.end();
    }

    @Test
    void keepsAnUnlinkedFileUntilItsLastHandleIsClosed() throws Exception {
        long inode = stored(mount, "f", "content");
        long first = LocalStorage.open(mount, inode, WRITE);
        long second = LocalStorage.open(mount, inode, READ);
        mount.unlink(ROOT, "f");
        assertFails(Errno.ENOENT, () -> mount.lookup(ROOT, "f"));
        assertThat(mount.getattr(inode, OptionalLong.of(first)).links()).isZero();
        write(mount, inode, first, 7, "+more");
        close(mount, inode, first);
        assertThat(read(mount, inode, second)).isEqualTo("content+more");
        mount.release(inode, second);
        assertFails(Errno.ESTALE, () -> mount.getattr(inode, OptionalLong.empty()));
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void keepsAFileThatIsRenamedOverUntilItIsClosed() throws Exception {
        long inode = stored(mount, "f", "old");
        stored(mount, "g", "new");
        long handle = LocalStorage.open(mount, inode, READ);
        mount.rename(ROOT, "g", ROOT, "f", RenameMode.REPLACE);
        assertThat(read(mount, inode, handle)).isEqualTo("old");
        mount.release(inode, handle);
        assertFails(Errno.ESTALE, () -> mount.getattr(inode, OptionalLong.empty()));
        mount.unlink(ROOT, "f");
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void losesAFileThatAnotherMountRemoves() throws Exception {
        long inode = stored(mount, "f", OLD);
        long handle = LocalStorage.open(mount, inode, WRITE);
        other.unlink(ROOT, "f");
        assertFails(Errno.ESTALE, () -> read(mount, inode, handle));
        write(mount, inode, handle, 0, "new");
        assertFails(Errno.ESTALE, () -> mount.flush(inode, handle, LocalStorage.OWNER));
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void whoBeginsToOpenAFileThatIsBeingUnlinkedHasItOrHearsThatItIsGone() throws Exception {
        assertOpenedOrGone(by -> by.unlink(ROOT, "f"));
    }

    @Test
    void whoBeginsToOpenAFileThatIsBeingRenamedOverHasItOrHearsThatItIsGone() throws Exception {
        stored(mount, "g", "new");
        assertOpenedOrGone(by -> by.rename(ROOT, "g", ROOT, "f", RenameMode.REPLACE));
    }

    /** What takes the name of a file away through a mount. */
    @FunctionalInterface
    private interface Removal {
        void run(StripedFileSystem by) throws Exception;
    }

    private void assertOpenedOrGone(Removal removal) throws Exception {
        long inode = stored(mount, "f", OLD);
        CompletableFuture<StripedFileSystem> mounted = new CompletableFuture<>();
        FutureTask<Long> opening = new FutureTask<>(() -> LocalStorage.open(mounted.join(), inode, READ));
        Thread opener = Thread.ofPlatform().unstarted(opening);
        StripedFileSystem racing = storage.mount(table -> removesBehind(opener, table));
        mounted.complete(racing);
        removal.run(racing);
        try {
            assertThat(read(racing, inode, opening.get())).isEqualTo(OLD);
        } catch (ExecutionException failure) {
            assertThat(failure.getCause())
                    .asInstanceOf(type(ErrnoException.class))
                    .returns(Errno.ESTALE, ErrnoException::errno);
        }
        racing.end();
    }

    @Test
    void syncsAtItsEndThoughFilesThatItKeptAreGone() throws Exception {
        AtomicInteger released = new AtomicInteger();
        AtomicBoolean synced = new AtomicBoolean();
        StripedFileSystem ending = storage.mount(table -> new FileTable() {
            @Override
            public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
                if (request instanceof TableCommand.Release) {
                    released.incrementAndGet();
                    return CompletableFuture.failedFuture(
                            new TableRefusal(TableRefusal.Reason.STALE, "the session is over"));
                }
                return table.ask(request);
            }

            @Override
            public CompletableFuture<Void> sync() {
                synced.set(true);
                return CompletableFuture.completedFuture(null);
            }
        });
        for (String name : new String[] {"f", "g"}) {
            long _ = LocalStorage.open(ending, stored(ending, name, OLD), READ);
            ending.unlink(ROOT, name);
        }
        assertThat(synced).isFalse();

        assertFails(Errno.ESTALE, ending::end);
        assertThat(released).hasValue(2);
        assertThat(synced).isTrue();
    }

    /** A table that removes nothing until a program that opens it has come as far as it does. */
    private static FileTable removesBehind(Thread opener, FileTable table) {
        return new FileTable() {
            @Override
            public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
                if (request instanceof TableCommand.Unlink || request instanceof TableCommand.Rename) {
                    opener.start();
                    await().until(() ->
                            EnumSet.of(State.WAITING, State.TERMINATED).contains(opener.getState()));
                }
                return table.ask(request);
            }
        };
    }
}
