// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.storage.Content;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.Segment;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedReader;
import io.albm.storage.StripedWriter;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Files of at most {@link InlineBytes#MOST} bytes, which the file table has itself. */
final class ShortFilesTest {
    private final LocalStorage storage = new LocalStorage(1_000_000);
    private final StripedFileSystem mount = storage.mount();
    private final byte[] model = new byte[3 * InlineBytes.MOST];
    private long inode;
    private long handle;

    private void create() throws Exception {
        Created created =
                mount.create(new Caller(0, 0, 1), InodeFileSystem.ROOT, "file", 0100644, new OpenFlags(2, false));
        inode = created.attributes().inode();
        handle = created.opened().handle();
    }

    private void write(int offset, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(offset).nextBytes(bytes);
        mount.write(inode, handle, offset, ByteBuffer.wrap(bytes), LocalStorage.WRITE);
        System.arraycopy(bytes, 0, model, offset, length);
        mount.fsync(inode, handle, false);
    }

    private Content stored() {
        Inode now = ((TableAnswer.Known) storage.table.answer(new TableQuery.Get(inode))).inode();
        return Objects.requireNonNull(now.content());
    }

    private void checkFromElsewhere(int length) throws Exception {
        StripedFileSystem other = storage.mount();
        long there = LocalStorage.open(other, inode, new OpenFlags(0, false));
        ByteBuffer target = ByteBuffer.allocate(model.length);
        other.read(inode, there, 0, target);
        other.release(inode, there);
        assertThat(target.position()).isEqualTo(length);
        assertThat(Arrays.mismatch(target.array(), 0, length, model, 0, length)).isEqualTo(-1);
    }

    @Test
    void takeNoNode() throws Exception {
        create();
        write(0, InlineBytes.MOST);
        storage.nodes().forEach(storage.blocks()::lose);

        checkFromElsewhere(InlineBytes.MOST);
        write(100, 1000);
        checkFromElsewhere(InlineBytes.MOST);

        assertThat(storage.blocks().count()).isZero();
        assertThat(stored().segments()).hasSize(1);
        mount.release(inode, handle);
    }

    @Test
    void leaveTheTableWhenTheyGrow() throws Exception {
        create();
        write(0, 1000);
        assertThat(stored().inlineBytes()).isEqualTo(1000);

        write(5000, 1000);

        assertThat(stored().inlineBytes()).isZero();
        checkFromElsewhere(6000);
        mount.release(inode, handle);
    }

    @Test
    void goToTheNodesWhenTheTableHasNoRoom() throws Exception {
        fill();
        create();
        write(0, 1000);

        assertThat(stored().inlineBytes()).isZero();
        assertThat(storage.blocks().count()).isEqualTo(2);
        storage.blocks().lose(stored().segments().getFirst().nodes().getFirst());
        checkFromElsewhere(1000);
        mount.release(inode, handle);
    }

    @Test
    void leaveNothingWhereTheTableHasNoRoomAndTheNodesHaveNone() throws Exception {
        fill();
        create();
        storage.blocks().setFull(true);

        assertThatThrownBy(() -> write(0, 1000)).hasMessageContaining("ENOSPC");

        assertThat(stored()).isEqualTo(Content.EMPTY);
        assertThat(storage.blocks().count()).isZero();
        assertThat(storage.table.announced()).isEmpty();
        assertThatThrownBy(() -> mount.release(inode, handle)).hasMessageContaining("ENOSPC");
    }

    private void fill() {
        int longest = InlineBytes.MOST;
        for (int i = 0; i < (64 << 20) / longest; i++) {
            Segment segment = Segment.ofInline("%032x".formatted(i), new InlineBytes(new byte[longest]));
            storage.table.apply(
                    "other", new TableCommand.Publish("/other/" + i, segment, 0, PutMode.CREATE, null), Instant.EPOCH);
        }
    }

    @Test
    void arePutAndReadByPath() throws Exception {
        StoragePath path = new StoragePath("/put");
        new Random(1).nextBytes(model);
        for (int length : new int[] {0, 1, InlineBytes.MOST, InlineBytes.MOST + 1}) {
            StripedWriter writer = storage.files()
                    .create(path, PutMode.REPLACE, Set.of(), Long.MAX_VALUE)
                    .join();
            writer.append(ByteBuffer.wrap(model, 0, length)).join();
            writer.commit().join();

            StripedReader reader = storage.files().open(path).join();
            assertThat(reader.file().length()).isEqualTo(length);
            for (long at = 0; at < length; ) {
                ByteBuf read = reader.read(reader.pieceAt(at)).join();
                assertThat(read.nioBuffer()).isEqualTo(ByteBuffer.wrap(model, (int) at, read.readableBytes()));
                at += read.readableBytes();
                read.release();
            }
        }
        assertThat(storage.blocks().count()).isEqualTo(2);
    }
}
