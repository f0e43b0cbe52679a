// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.wire.Frame;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of every storage frame's header, as docs/wire-storage.md draws them. A change here breaks old nodes. */
class StorageFramesTest {
    private static final String GENERATION_BYTES = "0123456789abcdeffedcba9876543210";
    private static final Generation GENERATION = Generation.parse(GENERATION_BYTES);
    private static final BlockId BLOCK = new BlockId(GENERATION, 7, 4);
    private static final String BLOCK_BYTES = GENERATION_BYTES + "0000000000000007" + "04";
    private static final ChunkChecksums CHECKSUMS = ChunkChecksums.read(Unpooled.copyInt(0xCAFEBABE, 0x12345678), 2);
    private static final BlockHeader HEADER = new BlockHeader(BLOCK, 65_537, CHECKSUMS);
    private static final String HEADER_BYTES = BLOCK_BYTES + "00010001" + "cafebabe" + "12345678";
    private static final Fence FENCE = new Fence("job-1", 9);
    private static final String FENCE_BYTES = "0005" + "6a6f622d31" + "0000000000000009";

    private static final Sender SENDER = new Sender(0x1122334455667788L, false);
    private static final Sender BACKGROUND_SENDER = new Sender(-1, true);
    private static final String SENDER_BYTES = "1122334455667788";

    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of(
                        0x90,
                        new StorageRequest.Write(SENDER, HEADER, WriteMode.NEW, null),
                        SENDER_BYTES + HEADER_BYTES + "00" + "0000"),
                Arguments.of(
                        0x90,
                        new StorageRequest.Write(SENDER, HEADER, WriteMode.REPAIR, FENCE),
                        SENDER_BYTES + HEADER_BYTES + "01" + FENCE_BYTES),
                Arguments.of(
                        0x98,
                        new StorageRequest.Write(BACKGROUND_SENDER, HEADER, WriteMode.REPAIR, null),
                        "f".repeat(16) + HEADER_BYTES + "01" + "0000"),
                Arguments.of(
                        0x11,
                        new StorageRequest.Read(BLOCK, 4096, 65_536, false),
                        BLOCK_BYTES + "00001000" + "00010000"),
                Arguments.of(
                        0x18,
                        new StorageRequest.Read(BLOCK, 4096, 65_536, true),
                        BLOCK_BYTES + "00001000" + "00010000"),
                Arguments.of(0x12, new StorageRequest.Verify(BLOCK), BLOCK_BYTES),
                Arguments.of(0x13, new StorageRequest.Seal(GENERATION, FENCE), GENERATION_BYTES + FENCE_BYTES),
                Arguments.of(0x14, new StorageRequest.Remove(GENERATION, null), GENERATION_BYTES + "0000"),
                Arguments.of(0x1e, new StorageRequest.Sweep(GENERATION, 9), GENERATION_BYTES + "0000000000000009"),
                Arguments.of(0x15, new StorageRequest.Generations(null), "00"),
                Arguments.of(0x15, new StorageRequest.Generations(GENERATION), "01" + GENERATION_BYTES),
                Arguments.of(0x16, new StorageRequest.Space(), ""),
                Arguments.of(
                        0x1c,
                        new StorageRequest.Ask(SENDER, 1 << 20, 1 << 16),
                        SENDER_BYTES + "00" + "00100000" + "00010000"),
                Arguments.of(
                        0x1c,
                        new StorageRequest.Ask(BACKGROUND_SENDER, 1, 1),
                        "f".repeat(16) + "01" + "00000001" + "00000001"),
                Arguments.of(
                        0x1d,
                        new StorageRequest.Pace(new WriteRate(300, 7, 0.25, Duration.ofSeconds(1)), FENCE),
                        "ac02" + "07" + "808001" + "e807" + FENCE_BYTES),
                Arguments.of(
                        0x19,
                        new StorageRequest.SetAside(GENERATION, 3, 300, FENCE),
                        GENERATION_BYTES + "03" + "ac02" + FENCE_BYTES));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void keepsTheFormatOfRequests(int type, StorageRequest request, String golden) {
        ByteBuf header = Unpooled.buffer();
        request.write(header);
        assertThat(request.type()).isEqualTo(type);
        assertThat(ByteBufUtil.hexDump(header)).isEqualTo(golden);
        assertThat(StorageRequest.read(frame(type, header))).isEqualTo(request);
    }

    static Stream<Arguments> replies() {
        return Stream.of(
                Arguments.of(0x20, new StorageReply.Done(), ""),
                Arguments.of(0x26, new StorageReply.Written(1024), "8008"),
                Arguments.of(0x27, new StorageReply.Granted(300, 0, 300), "ac02" + "00" + "ac02"),
                Arguments.of(0x27, new StorageReply.Granted(0, 1024, 0), "00" + "8008" + "00"),
                Arguments.of(0x21, new StorageReply.Found(HEADER), HEADER_BYTES),
                Arguments.of(
                        0xA1,
                        new StorageReply.Part(new PartHeader(BLOCK, 262_144, 1, CHECKSUMS)),
                        BLOCK_BYTES + "00040000" + "00000001" + "00000002" + "cafebabe" + "12345678"),
                Arguments.of(0x22, new StorageReply.Sealed(300), "ac02"),
                Arguments.of(0x23, new StorageReply.Listed(true, 9), "01" + "0000000000000009"),
                Arguments.of(
                        0x24, new StorageReply.Room(new NodeSpace(1024, 300, 5, 2)), "8008" + "ac02" + "05" + "02"));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void keepsTheFormatOfReplies(int type, StorageReply reply, String golden) {
        ByteBuf header = Unpooled.buffer();
        reply.write(header);
        assertThat(reply.type()).isEqualTo(type);
        assertThat(ByteBufUtil.hexDump(header)).isEqualTo(golden);
        assertThat(StorageReply.read(frame(type, header))).isEqualTo(reply);
    }

    @Test
    void tellsWhoseCreditAFrameUsesByTheBeginningOfItsHeader() {
        ByteBuf header = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(SENDER_BYTES + "00"));
        assertThat(StorageRequest.Write.sender(0x90, header)).isEqualTo(SENDER);
        assertThat(StorageRequest.Write.sender(0x98, header)).isEqualTo(new Sender(SENDER.id(), true));
        assertThat(StorageRequest.Write.sender(0x11, header)).isNull();
        assertThat(header.readerIndex()).isZero();
    }

    @Test
    void listsGenerationsInTheBody() {
        ByteBuf body = Unpooled.buffer();
        StorageReply.writeGenerations(body, List.of(GENERATION, new Generation(0, 1)));
        assertThat(ByteBufUtil.hexDump(body)).isEqualTo(GENERATION_BYTES + "0".repeat(31) + "1");
        assertThat(StorageReply.readGenerations(body)).containsExactly(GENERATION, new Generation(0, 1));
    }

    static Stream<Arguments> hostile() {
        return Stream.of(
                Arguments.of(0x11, BLOCK_BYTES + "00000000" + "000001"),
                Arguments.of(0x11, BLOCK_BYTES + "00000000" + "00000001" + "00"),
                Arguments.of(0x11, BLOCK_BYTES + "00000000" + "00000000"),
                Arguments.of(0x11, BLOCK_BYTES + "ffffffff" + "00000001"),
                Arguments.of(0x12, GENERATION_BYTES + "ffffffffffffffff" + "04"),
                Arguments.of(0x12, GENERATION_BYTES + "0000000000000007" + "ff"),
                Arguments.of(0x90, SENDER_BYTES + BLOCK_BYTES + "7fffffff" + "cafebabe" + "00" + "0000"),
                Arguments.of(0x90, SENDER_BYTES + BLOCK_BYTES + "00010001" + "cafebabe"),
                Arguments.of(0x90, SENDER_BYTES + HEADER_BYTES + "02" + "0000"),
                Arguments.of(0x90, "11223344556677"),
                Arguments.of(0x1c, SENDER_BYTES + "00" + "00000000"),
                Arguments.of(0x1c, SENDER_BYTES + "00" + "01000001"),
                Arguments.of(0x1c, SENDER_BYTES + "02" + "00000001"),
                Arguments.of(0x1d, "01" + "00" + "01" + "0000"),
                Arguments.of(0x1d, "01" + "00" + "00" + FENCE_BYTES),
                Arguments.of(0x1d, "01" + "00" + "e1d403" + FENCE_BYTES),
                Arguments.of(0x1d, "01" + "8180808004" + "01" + FENCE_BYTES),
                Arguments.of(0x13, GENERATION_BYTES + "ffff"),
                Arguments.of(0x13, GENERATION_BYTES + "0003" + "2e2e2f" + "0000000000000009"),
                Arguments.of(0x1e, GENERATION_BYTES + "00000000000009"),
                Arguments.of(0x15, "05"),
                Arguments.of(0x16, "00"),
                Arguments.of(0x2f, ""));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void refusesHostileHeaders(int type, String header) {
        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() ->
                        StorageRequest.read(frame(type, Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(header)))));
    }

    @Test
    void failsOnlyWithWireExceptionsWhateverTheBytes() {
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            int type = 0x10 + random.nextInt(0x20) + (random.nextBoolean() ? 0x80 : 0);
            assertThat(readable(type, bytes)).isIn(true, false);
        }
    }

    private static boolean readable(int type, byte[] bytes) {
        try {
            Frame frame = frame(type, Unpooled.wrappedBuffer(bytes));
            return (type & 0x7F) < 0x20 ? StorageRequest.read(frame) != null : StorageReply.read(frame) != null;
        } catch (WireException refused) {
            return false;
        }
    }

    private static Frame frame(int type, ByteBuf header) {
        return new Frame(type, 1, 0, header, Unpooled.EMPTY_BUFFER);
    }
}
