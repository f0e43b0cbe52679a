// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.albm.core.wire.Checksum;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Fence;
import io.albm.storage.Generation;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCounted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockStoreTest {
    private static final Generation GENERATION = Generation.parse("0123456789abcdeffedcba9876543210");
    private static final BlockId BLOCK = new BlockId(GENERATION, 7, 4);
    private static final int CHUNK = ChunkChecksums.CHUNK_BYTES;
    private static final long AMPLE = 1L << 40;

    @TempDir
    Path dir;

    @Test
    void keepsTheFormatOnDisk() throws IOException {
        write(open(), BLOCK, "albm");
        Path file = dir.resolve("blocks").resolve(GENERATION.toString()).resolve("7-4");
        assertThat(ByteBufUtil.hexDump(Files.readAllBytes(file)))
                .isEqualTo("414c424d424c4b02" + GENERATION + "0000000000000007" + "00000004" + "00000004"
                        + "%08x".formatted(Checksum.of(bytes("albm")))
                        + "%08x".formatted(headChecksum(file)) + ByteBufUtil.hexDump(bytes("albm")));
    }

    private static int headChecksum(Path file) throws IOException {
        return Checksum.of(Unpooled.wrappedBuffer(Files.readAllBytes(file), 0, 44));
    }

    @Test
    void keepsBlocksOverARestartAndRemovesWhatACrashLeftUnfinished() throws IOException {
        write(open(), BLOCK, "albm");
        Path torn = Files.createDirectories(dir.resolve("tmp")).resolve("17");
        Files.writeString(torn, "half of a bl");
        BlockStore again = open();
        assertThat(torn).doesNotExist();
        assertThat(content(again, BLOCK)).isEqualTo("albm");
        assertThat(again.space().blocks()).isEqualTo(1);
        assertThat(again.space().used()).isEqualTo(48 + 4);
    }

    @Test
    void takesTheSameBlockTwiceAndRefusesAnother() throws IOException {
        BlockStore store = open();
        write(store, BLOCK, "albm");
        write(store, BLOCK, "albm");
        assertThat(store.space().blocks()).isEqualTo(1);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> write(store, BLOCK, "other"))
                .withMessageContaining("other content");
        assertThat(content(store, BLOCK)).isEqualTo("albm");
    }

    @Test
    void refusesContentThatDoesNotMatchItsChecksum() throws IOException {
        BlockStore store = open();
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(
                        () -> store.write(BlockHeader.of(BLOCK, bytes("albM")), WriteMode.NEW, null, bytes("albm")));
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.verify(BLOCK));
    }

    @Test
    void refusesABlockThatWouldTouchTheReserve() throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(dir), AMPLE, Long.MAX_VALUE / 2, Runnable::run);
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> write(store, BLOCK, "albm"))
                .withMessageContaining("reserved");
        assertThat(store.space().used()).isZero();
        assertThat(store.space().free()).isZero();
    }

    @Test
    void keepsRoomForWhomItWasSetAside() throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(dir), 3 * (48 + 4), 0, Runnable::run);
        BlockId others = new BlockId(Generation.parse("f".repeat(32)), 0, 0);
        store.setAside(GENERATION, 2, 8, null);
        assertThat(store.space().used()).isZero();
        assertThat(store.space().free()).isEqualTo(48 + 4);
        write(store, others, "albm");
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> write(store, new BlockId(others.generation(), 1, 0), "albm"))
                .withMessageContaining("104 set aside");
        write(store, new BlockId(GENERATION, 0, 0), "albm");
        write(store, new BlockId(GENERATION, 1, 0), "albm");
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> write(store, new BlockId(GENERATION, 2, 0), "albm"));
        assertThat(store.space().used()).isEqualTo(3 * (48 + 4));
    }

    @Test
    void setsAsideNoMoreThanThereIs() throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(dir), 3 * (48 + 4), 0, Runnable::run);
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> store.setAside(GENERATION, 4, 16, null))
                .withMessageContaining("capacity");
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> store.setAside(GENERATION, Long.MAX_VALUE, Long.MAX_VALUE, null));
        store.setAside(GENERATION, 3, 12, null);
        store.setAside(GENERATION, 2, 8, null);
        assertThat(store.space().free()).isEqualTo(48 + 4);
        BlockStore reserved = new BlockStore(new LocalDisk(dir), AMPLE, Long.MAX_VALUE / 2, Runnable::run);
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> reserved.setAside(GENERATION, 1, 4, null))
                .withMessageContaining("reserved");
    }

    @Test
    void sweepsAGenerationThatIsAsItWasListed() throws IOException {
        BlockStore store = open();
        write(store, BLOCK, "albm");
        long listing = store.generations(null).listing();
        assertThat(store.sweep(GENERATION, listing)).isZero();
        assertThat(store.space().used()).isZero();
        assertThat(store.space().blocks()).isZero();
        assertThat(store.generations(null).generations()).isEmpty();
    }

    @Test
    void keepsAGenerationThatWasSealedSinceItWasListed() throws IOException {
        BlockStore store = open();
        write(store, BLOCK, "albm");
        long listing = store.generations(null).listing();
        store.seal(GENERATION, null);
        store.generations(null);
        assertThat(store.sweep(GENERATION, listing)).isEqualTo(1);
        assertThat(content(store, BLOCK)).isEqualTo("albm");
        assertThat(store.sweep(GENERATION, store.generations(null).listing())).isZero();
    }

    @Test
    void keepsAGenerationThatAnotherLifeOfTheNodeHasListed() throws IOException {
        BlockStore store = open();
        write(store, BLOCK, "albm");
        long listing = store.generations(null).listing();
        BlockStore again = open();
        again.generations(null);
        assertThat(again.sweep(GENERATION, listing)).isEqualTo(1);
    }

    @Test
    void givesRoomBackWhenTheGenerationIsSealedOrRemoved() throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(dir), 2 << 20, 0, Runnable::run);
        store.setAside(GENERATION, 10, 1 << 20, null);
        assertThat(store.generations(null).generations()).containsExactly(GENERATION);
        store.seal(GENERATION, null);
        assertThat(store.generations(null).generations()).isEmpty();
        store.setAside(GENERATION, 10, 1 << 20, null);
        store.remove(GENERATION, null);
        assertThat(store.generations(null).generations()).isEmpty();
        assertThat(store.space().free()).isEqualTo(2 << 20);
    }

    @Test
    void repairsABlockOfAFullDisk() throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(dir), 48 + 4, 0, Runnable::run);
        write(store, BLOCK, "albm");
        spoil(BLOCK);
        assertThatExceptionOfType(NoSpaceException.class)
                .isThrownBy(() -> repair(store, new BlockId(GENERATION, 8, 4), "albm"));
        repair(store, BLOCK, "albm");
        assertThat(content(store, BLOCK)).isEqualTo("albm");
        assertThat(store.space().used()).isEqualTo(48 + 4);
    }

    @Test
    void takesWhatTheDiskCannotReadForCorruptUntilItIsRepaired() throws IOException {
        BadSectors disk = new BadSectors(dir);
        BlockStore store = new BlockStore(disk, AMPLE, 0, Runnable::run);
        write(store, BLOCK, "albm");
        disk.spoil();
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> store.verify(BLOCK))
                .withMessageContaining("cannot be read: Input/output error");
        assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store.read(BLOCK, 0, 4));
        repair(store, BLOCK, "albm");
        assertThat(content(store, BLOCK)).isEqualTo("albm");
    }

    @Test
    void countsABlockOnceThatTwoRepairAtATime() throws IOException {
        List<Runnable> meanwhile = new ArrayList<>();
        BlockStore store = new BlockStore(disturbed(new LocalDisk(dir), "write", meanwhile), AMPLE, 0, Runnable::run);
        meanwhile.add(() -> {
            try {
                repair(store, BLOCK, "albm");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        repair(store, BLOCK, "albm");
        assertThat(store.space().blocks()).isEqualTo(1);
        assertThat(store.space().used()).isEqualTo(48 + 4);
    }

    /** A disk that first does something else, once, when it is asked for something. */
    private static BlockDisk disturbed(BlockDisk disk, String call, List<Runnable> meanwhile) {
        return (BlockDisk) Proxy.newProxyInstance(
                BlockDisk.class.getClassLoader(), new Class<?>[] {BlockDisk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(call) && !meanwhile.isEmpty()) {
                        meanwhile.removeFirst().run();
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private void spoil(BlockId id) throws IOException {
        Path file = dir.resolve("blocks").resolve(id.generation().toString()).resolve(id.stripe() + "-" + id.unit());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void leavesNothingBehindWhenTheDiskIsReallyFull() throws Exception {
        Path small = Files.createDirectory(dir.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small.toString()), "needs root");
        try {
            BlockStore store = new BlockStore(new LocalDisk(small), AMPLE, 0, Runnable::run);
            BlockId kept = new BlockId(GENERATION, 0, 0);
            write(store, kept, "k".repeat(100_000));
            assertThatExceptionOfType(NoSpaceException.class)
                    .isThrownBy(() -> write(store, BLOCK, "x".repeat(200_000)));
            assertThat(content(store, kept)).hasSize(100_000);
            assertThat(store.space().used()).isEqualTo(100_052);
            assertThat(small.resolve("tmp")).isEmptyDirectory();
        } finally {
            run("umount", small.toString());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }

    @Test
    void givesTheChunksThatHoldARangeAndNoOthers() throws IOException {
        BlockStore store = open();
        String content = "a".repeat(CHUNK) + "b".repeat(CHUNK) + "c".repeat(5);
        write(store, BLOCK, content);
        assertThat(read(store, BLOCK, 3, 2 * CHUNK)).isEqualTo(content);
        assertThat(read(store, BLOCK, 0, 1)).isEqualTo("a".repeat(CHUNK));
        assertThat(read(store, BLOCK, CHUNK - 1, 2)).isEqualTo("a".repeat(CHUNK) + "b".repeat(CHUNK));
        assertThat(read(store, BLOCK, 2 * CHUNK + 4, 1)).isEqualTo("ccccc");
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> store.read(BLOCK, 2 * CHUNK + 4, 2))
                .withMessageContaining("2 bytes from 131076 of a block of 131077 bytes");
    }

    @Test
    void saysWhichVersionItDoesNotRead() throws IOException {
        BlockStore store = open();
        write(store, BLOCK, "albm");
        Path file = dir.resolve("blocks").resolve(GENERATION.toString()).resolve("7-4");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = 1;
        Files.write(file, bytes);
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> store.read(BLOCK, 0, 1))
                .withMessageContaining("of version 1, this node reads version 2");
    }

    @Test
    void remembersTheHighestEpochOverARestart() throws IOException {
        open().seal(GENERATION, new Fence("job", 5));
        assertThatExceptionOfType(StaleEpochException.class)
                .isThrownBy(() -> open().seal(GENERATION, new Fence("job", 4)))
                .withMessageContaining("epoch 5");
        assertThat(open().seal(GENERATION, new Fence("other", 1))).isZero();
    }

    @Test
    void believesNoEpochThatABitHasChanged() throws IOException {
        open().seal(GENERATION, new Fence("job", 12));
        Path file = dir.resolve("fences/job");
        byte[] good = Files.readAllBytes(file);
        for (int bit = 0; bit < Byte.SIZE * good.length; bit++) {
            byte[] flipped = good.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, flipped);
            assertThatIOException()
                    .as("bit %d", bit)
                    .isThrownBy(this::open)
                    .withMessageContaining("fences/job is corrupt");
        }
        Files.write(file, good);
        assertThatExceptionOfType(StaleEpochException.class)
                .isThrownBy(() -> open().seal(GENERATION, new Fence("job", 11)));
    }

    private BlockStore open() throws IOException {
        return new BlockStore(new LocalDisk(dir), AMPLE, 0, Runnable::run);
    }

    private static void write(BlockStore store, BlockId id, String content) throws IOException {
        ByteBuf body = bytes(content);
        store.write(BlockHeader.of(id, body), WriteMode.NEW, null, body);
    }

    private static void repair(BlockStore store, BlockId id, String content) throws IOException {
        ByteBuf body = bytes(content);
        store.write(BlockHeader.of(id, body), WriteMode.REPAIR, null, body);
    }

    private static String content(BlockStore store, BlockId id) throws IOException {
        return read(store, id, 0, store.verify(id).length());
    }

    /** The chunks that hold a range, as a socket would get them. */
    private static String read(BlockStore store, BlockId id, int from, int length) throws IOException {
        StoredPart part = store.read(id, from, length);
        ByteBuf sent = Unpooled.wrappedBuffer(sent(part.body()));
        part.body().release();
        assertThat(part.header().matches(sent)).isTrue();
        return sent.toString(StandardCharsets.US_ASCII);
    }

    private static byte[] sent(ReferenceCounted body) throws IOException {
        if (body instanceof ByteBuf bytes) {
            return ByteBufUtil.getBytes(bytes);
        }
        FileRegion file = (FileRegion) body;
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        WritableByteChannel socket = Channels.newChannel(sent);
        while (sent.size() < file.count()) {
            file.transferTo(socket, sent.size());
        }
        return sent.toByteArray();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
