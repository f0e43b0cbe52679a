// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many bytes the nodes are asked for. A unit is one chunk here, a stripe four of them and parity. */
final class ReadAmountTest {
    private static final int CHUNK = ChunkChecksums.CHUNK_BYTES;
    private static final int STRIPE = LocalStorage.STRIPE_BYTES;

    private final LocalStorage storage = new LocalStorage(10);
    private final StripedFileSystem mount = storage.mount();
    private final byte[] content = new byte[20 * STRIPE + 100];
    private long inode;
    private long handle;

    @BeforeEach
    void store() throws IOException, InterruptedException {
        new Random(1).nextBytes(content);
        Created created =
                mount.create(new Caller(0, 0, 1), InodeFileSystem.ROOT, "file", 0100644, new OpenFlags(2, false));
        inode = created.attributes().inode();
        mount.write(inode, created.opened().handle(), 0, ByteBuffer.wrap(content), LocalStorage.WRITE);
        mount.flush(inode, created.opened().handle(), LocalStorage.OWNER);
        mount.release(inode, created.opened().handle());
        handle = LocalStorage.open(mount, inode, new OpenFlags(0, false));
        storage.blocks.bytesRead();
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        mount.end();
    }

    @Test
    void aReadOfFewBytesReadsTheirChunk() throws IOException, InterruptedException {
        read(5 * STRIPE + 3 * CHUNK + 7, 4096);
        assertThat(storage.blocks.bytesRead()).isEqualTo(CHUNK);
        read(9 * STRIPE - 2048, 4096);
        assertThat(storage.blocks.bytesRead()).isEqualTo(2 * CHUNK);
        read(20 * STRIPE + 50, 4096);
        assertThat(storage.blocks.bytesRead()).isEqualTo(100);
    }

    @Test
    void aReadOfFewBytesThatAreLostReadsThatPlaceOfTheOtherUnits() throws IOException, InterruptedException {
        storage.blocks.lose(nodeOf(5, 3));
        read(5 * STRIPE + 3 * CHUNK + 7, 4096);
        assertThat(storage.blocks.bytesRead()).isEqualTo(4 * CHUNK);
    }

    @Test
    void whoReadsOnReadsEveryByteOnce() throws IOException, InterruptedException {
        for (int at = 0; at < content.length; at += 2 * CHUNK) {
            read(at, 2 * CHUNK);
        }
        assertThat(storage.blocks.bytesRead()).isEqualTo(content.length);
    }

    @Test
    void whoReadsOnIsAheadByAMebibyteOfWholeStripes() throws IOException, InterruptedException {
        read(6 * STRIPE, 4096);
        assertThat(storage.blocks.bytesRead()).isEqualTo(CHUNK);
        read(6 * STRIPE + 4096, 4096);
        assertThat(storage.blocks.bytesRead()).isEqualTo(STRIPE + (1 << 20));
        read(6 * STRIPE + 8192, STRIPE);
        assertThat(storage.blocks.bytesRead()).isEqualTo(STRIPE);
    }

    private void read(int offset, int length) throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(length);
        mount.read(inode, handle, offset, target);
        int expected = Math.min(length, content.length - offset);
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, offset, expected));
    }

    private NodeId nodeOf(long stripe, int unit) {
        Inode now = ((TableAnswer.Known) storage.table.answer(new TableQuery.Get(inode))).inode();
        Segment segment = Objects.requireNonNull(now.content()).segments().getFirst();
        return segment.layout().nodeOf(stripe, unit);
    }
}
