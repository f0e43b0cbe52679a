// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.storage.FileTable;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A mount over a table that answers before it is durable. */
class EarlyMountTest {
    private static final long ROOT = InodeFileSystem.ROOT;
    private static final OpenFlags WRITE = new OpenFlags(2, false);

    private final LocalStorage storage = new LocalStorage(1000);
    private final CompletableFuture<Void> durable = new CompletableFuture<>();
    private boolean left;
    /** Too long for the file table. */
    private static final byte[] CONTENT = "content".repeat(1000).getBytes(UTF_8);

    private final StripedFileSystem mount = storage.mount(Undurable::new);

    /** What it answers early is durable when the test says so. */
    private final class Undurable implements FileTable {
        private final FileTable table;

        Undurable(FileTable table) {
            this.table = table;
        }

        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            return durable.thenCompose(nothing -> table.ask(request));
        }

        @Override
        public FileTable early() {
            return new FileTable() {
                @Override
                public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
                    return table.ask(request);
                }

                @Override
                public CompletableFuture<Void> sync() {
                    return durable;
                }

                @Override
                public CompletableFuture<Void> leave() {
                    left = true;
                    return CompletableFuture.completedFuture(null);
                }
            };
        }
    }

    private Created create(String name) throws IOException, InterruptedException {
        Created created = mount.create(new Caller(7, 8, 1), ROOT, name, FileMode.REGULAR | 0644, WRITE);
        mount.write(created.attributes().inode(), created.opened().handle(), 0, ByteBuffer.wrap(CONTENT), WRITE);
        return created;
    }

    private void close(Created created) throws IOException, InterruptedException {
        mount.flush(created.attributes().inode(), created.opened().handle(), LocalStorage.OWNER);
        mount.release(created.attributes().inode(), created.opened().handle());
    }

    @Test
    void closingDoesNotWaitUntilItIsDurable() throws Exception {
        close(create("f"));

        assertThat(mount.lookup(ROOT, "f").size()).isEqualTo(CONTENT.length);
    }

    @Test
    void syncingSaysWhenSomethingWillNeverBeDurable() throws Exception {
        Created created = create("f");
        durable.completeExceptionally(new StorageException.AnswersLost("as the test wants it"));

        assertThatExceptionOfType(StorageException.AnswersLost.class)
                .isThrownBy(() -> mount.fsync(
                        created.attributes().inode(), created.opened().handle(), false));
        assertThatExceptionOfType(StorageException.AnswersLost.class)
                .isThrownBy(() -> mount.fsyncdir(ROOT, mount.opendir(ROOT), false));
        close(created);
    }

    @Test
    void blocksAreRemovedWhenItIsDurableThatNobodyNeedsThem() throws Exception {
        close(create("f"));
        int blocks = storage.blocks.count();

        mount.unlink(ROOT, "f");
        assertThat(storage.blocks.count()).isEqualTo(blocks).isPositive();

        durable.complete(null);
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void nobodyWaitsForAMountThatHasEnded() throws Exception {
        close(create("f"));
        durable.complete(null);
        mount.end();

        assertThat(left).isTrue();
    }

    @Test
    void blocksStayIfThatIsLost() throws Exception {
        close(create("f"));
        int blocks = storage.blocks.count();

        mount.unlink(ROOT, "f");
        durable.completeExceptionally(new StorageException.AnswersLost("as the test wants it"));

        assertThat(storage.blocks.count()).isEqualTo(blocks).isPositive();
    }
}
