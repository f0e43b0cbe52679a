// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Generation;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.FileRegion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the files of removed blocks. */
class SpareFilesTest {
    private static final Generation OLD = Generation.parse("0".repeat(32));
    private static final Generation NEW = Generation.parse("f".repeat(32));
    private static final int UNIT = 4 * ChunkChecksums.CHUNK_BYTES;
    private static final long FILE = BlockFormat.headBytes(UNIT) + (long) UNIT;
    private static final long AMPLE = 1L << 40;
    private static final long SPARE = 4 * FILE;

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areWrittenAgain(boolean direct) throws IOException {
        LocalDisk disk =
                direct ? new LocalDisk(dir, DirectIo.in(dir, PooledByteBufAllocator.DEFAULT)) : new LocalDisk(dir);
        BlockStore store = new BlockStore(disk, AMPLE, 0, Runnable::run, null, SPARE);
        write(store, OLD, 'o', UNIT);
        Object inode = inode(file(OLD));
        store.remove(OLD, null);
        assertThat(store.space().used()).isZero();
        assertThat(dir.resolve("blocks")).isEmptyDirectory();
        write(store, NEW, 'n', UNIT);
        assertThat(inode(file(NEW))).isEqualTo(inode);
        assertThat(file(NEW)).hasSize(FILE);
        assertThat(store.verify(new BlockId(NEW, 0, 0)).length()).isEqualTo(UNIT);
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
        assertThat(store.space().used()).isEqualTo(FILE);
        assertThat(store.space().blocks()).isEqualTo(1);
    }

    @Test
    void areWrittenByRepairsToo() throws IOException {
        BlockStore store = open(AMPLE, SPARE);
        write(store, OLD, 'o', UNIT);
        write(store, NEW, 'x', UNIT);
        store.remove(OLD, null);
        ByteBuf body = content('n', UNIT);
        store.write(BlockHeader.of(new BlockId(NEW, 0, 0), body), WriteMode.REPAIR, null, body);
        assertThat(ByteBufUtil.getBytes(body)).isEqualTo(read(store, NEW));
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
        assertThat(store.space().used()).isEqualTo(FILE);
    }

    /** As the kernel sends a file: when the reader takes it. */
    @Test
    void areNotWrittenWhileSomebodyReadsThem() throws IOException {
        BlockStore store = open(AMPLE, SPARE);
        write(store, OLD, 'o', UNIT);
        StoredPart reading = store.read(new BlockId(OLD, 0, 0), 0, UNIT);
        store.remove(OLD, null);
        write(store, NEW, 'n', UNIT);
        assertThat(sent(reading)).isEqualTo(ByteBufUtil.getBytes(content('o', UNIT)));
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
        store.remove(NEW, null);
        assertThat(spares()).as("read to its end, it would be spare").hasSize(1);
    }

    /** Sockets have them as pages of the file. */
    @Test
    void areNotThoseThatWereSentJustNow() throws IOException {
        BlockStore store = open(AMPLE, SPARE);
        write(store, OLD, 'o', UNIT);
        read(store, OLD);
        store.remove(OLD, null);
        assertThat(spares()).isEmpty();
    }

    @Test
    void areNotNeededToRemoveABlock() throws IOException {
        BlockDisk disk = new ForwardingDisk(new LocalDisk(dir)) {
            @Override
            public void rename(String from, String newName) throws IOException {
                if (newName.startsWith(BlockStore.TEMPORARY)) {
                    throw new IOException("No space left on device");
                }
                super.rename(from, newName);
            }
        };
        BlockStore store = new BlockStore(disk, AMPLE, 0, Runnable::run, null, SPARE);
        write(store, OLD, 'o', UNIT);
        store.remove(OLD, null);
        assertThat(store.space().used()).isZero();
        assertThat(dir.resolve("blocks")).isEmptyDirectory();
    }

    @Test
    void areNotThoseThatHaveAnotherName() throws IOException {
        BlockStore store = open(AMPLE, SPARE);
        write(store, OLD, 'o', UNIT);
        Path copy = Files.createLink(dir.resolve("copy"), file(OLD));
        byte[] before = Files.readAllBytes(copy);
        store.remove(OLD, null);
        write(store, NEW, 'n', UNIT);
        assertThat(copy).hasBinaryContent(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4095, 4097, ChunkChecksums.CHUNK_BYTES + 1})
    void areNotThoseOfLengthsThatHardlyComeAgain(int length) throws IOException {
        BlockStore store = open(AMPLE, SPARE);
        write(store, OLD, 'o', length);
        store.remove(OLD, null);
        assertThat(spares()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, ChunkChecksums.CHUNK_BYTES, ChunkChecksums.CHUNK_BYTES + 4096, UNIT})
    void areThoseOfWholePages(int length) throws IOException {
        BlockStore store = open(AMPLE, SPARE);
        write(store, OLD, 'o', length);
        store.remove(OLD, null);
        assertThat(spares()).hasSize(1);
        assertThat(open(AMPLE, SPARE).space().used()).isZero();
        assertThat(spares()).as("after a restart").isEmpty();
    }

    @Test
    void areNoMoreThanWasSet() throws IOException {
        BlockStore store = open(AMPLE, 2 * FILE);
        for (int stripe = 0; stripe < 5; stripe++) {
            write(store, new BlockId(OLD, stripe, 0), 'o', UNIT);
        }
        store.remove(OLD, null);
        assertThat(spares()).hasSize(2);
        BlockStore none = open(AMPLE, 0);
        write(none, OLD, 'o', UNIT);
        none.remove(OLD, null);
        assertThat(spares()).isEmpty();
    }

    @Test
    void areFreeAndGoWhenTheirRoomIsNeeded() throws IOException {
        BlockStore store = open(2 * FILE, SPARE);
        write(store, OLD, 'o', UNIT);
        write(store, new BlockId(OLD, 1, 0), 'o', UNIT);
        store.remove(OLD, null);
        assertThat(spares()).hasSize(2);
        assertThat(store.space().free()).isEqualTo(2 * FILE);
        write(store, NEW, 'n', 2 * UNIT);
        assertThat(spares()).isEmpty();
        assertThat(store.verify(new BlockId(NEW, 0, 0)).length()).isEqualTo(2 * UNIT);
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, UNIT})
    void goWhenOthersFillTheDisk(int length) throws IOException {
        long[] usable = {AMPLE};
        BlockDisk disk = new ForwardingDisk(new LocalDisk(dir)) {
            @Override
            public long usableBytes() {
                return usable[0];
            }
        };
        BlockStore store = new BlockStore(disk, AMPLE, FILE, Runnable::run, null, SPARE);
        for (int stripe = 0; stripe < 3; stripe++) {
            write(store, new BlockId(OLD, stripe, 0), 'o', UNIT);
        }
        store.remove(OLD, null);
        assertThat(spares()).hasSize(3);
        usable[0] = 0;
        assertThat(store.space().free()).isEqualTo(2 * FILE);
        write(store, NEW, 'n', length);
        assertThat(spares()).as("as many as leave the reserve free").hasSize(1);
    }

    private BlockStore open(long capacity, long spareBytes) throws IOException {
        return new BlockStore(new LocalDisk(dir), capacity, 0, Runnable::run, null, spareBytes);
    }

    private List<Path> spares() throws IOException {
        Path temporary = dir.resolve("tmp");
        if (!Files.exists(temporary)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(temporary)) {
            return files.toList();
        }
    }

    private Path file(Generation generation) {
        return dir.resolve("blocks").resolve(generation.toString()).resolve("0-0");
    }

    private static Object inode(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    private static void write(BlockStore store, Generation generation, char fill, int length) throws IOException {
        write(store, new BlockId(generation, 0, 0), fill, length);
    }

    private static void write(BlockStore store, BlockId id, char fill, int length) throws IOException {
        ByteBuf body = content(fill, length);
        store.write(BlockHeader.of(id, body), WriteMode.NEW, null, body);
    }

    private static ByteBuf content(char fill, int length) {
        byte[] content = new byte[length];
        content[0] = (byte) fill;
        return Unpooled.wrappedBuffer(content);
    }

    private static byte[] read(BlockStore store, Generation generation) throws IOException {
        return sent(store.read(new BlockId(generation, 0, 0), 0, UNIT));
    }

    private static byte[] sent(StoredPart part) throws IOException {
        FileRegion file = (FileRegion) part.body();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        WritableByteChannel socket = Channels.newChannel(sent);
        while (sent.size() < file.count()) {
            file.transferTo(socket, sent.size());
        }
        file.release();
        return sent.toByteArray();
    }
}
