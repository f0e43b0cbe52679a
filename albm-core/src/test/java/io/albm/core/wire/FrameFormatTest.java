// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden files under {@code wire/} fix the format: a change here breaks clusters that are upgraded node by node. */
class FrameFormatTest {

    /** A frame and the file that holds its bytes. */
    record Golden(String name, Frame frame) {

        byte[] bytes() throws IOException {
            try (var in = FrameFormatTest.class.getResourceAsStream("/wire/" + name + ".hex")) {
                var lines = new String(Objects.requireNonNull(in, name).readAllBytes(), US_ASCII);
                return HexFormat.of().parseHex(lines.replaceAll("#.*|\\s", ""));
            }
        }
    }

    static Stream<Golden> goldens() {
        return Stream.of(
                new Golden("ping", new Frame(Frame.PING, 1, 2_000, hex(""), hex(""))),
                new Golden("header-only", new Frame(0x10, 0x0102030405060708L, 0, hex("cafe"), hex(""))),
                new Golden(
                        "header-and-body",
                        new Frame(
                                0x2f,
                                42,
                                30_000,
                                hex("00112233"),
                                Unpooled.wrappedBuffer("stripe unit".getBytes(US_ASCII)))),
                new Golden(
                        "own-checksums",
                        new Frame(
                                0xa1,
                                43,
                                0,
                                hex("00112233"),
                                Unpooled.wrappedBuffer("stripe unit".getBytes(US_ASCII)))),
                new Golden(
                        "error",
                        ErrorFrames.encode(
                                UnpooledByteBufAllocator.DEFAULT,
                                7,
                                new WireException(WireCode.NO_SPACE, "disk is full"))));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void writesTheGoldenBytes(Golden golden) throws IOException {
        var channel = new EmbeddedChannel(new FrameEncoder());

        channel.writeOutbound(copy(golden.frame));

        assertThat(HexFormat.of().formatHex(allOutbound(channel)))
                .isEqualTo(HexFormat.of().formatHex(golden.bytes()));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void readsTheGoldenBytes(Golden golden) throws IOException {
        var channel = new EmbeddedChannel(new FrameDecoder());

        channel.writeInbound(Unpooled.wrappedBuffer(golden.bytes()));

        Frame frame = channel.readInbound();
        assertThat(frame).isEqualTo(golden.frame);
        frame.release();
    }

    @Test
    void leavesABodyWithChecksumsOfItsOwnToItsReader() throws IOException {
        var channel = new EmbeddedChannel(new FrameDecoder());
        var body = Unpooled.wrappedBuffer("stripe unit".getBytes(US_ASCII));
        var spoilt = new Golden("own-checksums", new Frame(0xa1, 43, 0, hex("00112233"), body)).bytes();
        spoilt[28] ^= 1;

        channel.writeInbound(Unpooled.wrappedBuffer(spoilt));

        Frame frame = channel.readInbound();
        assertThat(frame.header()).isEqualTo(hex("00112233"));
        assertThat(frame.body().toString(US_ASCII)).isEqualTo("rtripe unit");
        frame.release();
    }

    @Test
    void checksumIsCastagnoli() {
        assertThat(Checksum.of(Unpooled.wrappedBuffer("123456789".getBytes(US_ASCII))))
                .isEqualTo(0xE3069283);
    }

    @Test
    void errorCodesKeepTheirNumbers() {
        assertThat(WireCode.values())
                .extracting(WireCode::number)
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        assertThat(WireCode.of(999)).isEqualTo(WireCode.INTERNAL);
    }

    private static Frame copy(Frame frame) {
        return new Frame(
                frame.type(),
                frame.requestId(),
                frame.deadlineMillis(),
                frame.header().copy(),
                frame.body().copy());
    }

    static byte[] allOutbound(EmbeddedChannel channel) {
        var all = Unpooled.compositeBuffer();
        for (ByteBuf part; (part = channel.readOutbound()) != null; ) {
            all.addComponent(true, part);
        }
        var bytes = new byte[all.readableBytes()];
        all.readBytes(bytes).release();
        return bytes;
    }

    private static ByteBuf hex(String digits) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(digits));
    }
}
