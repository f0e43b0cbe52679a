// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Throws bytes at the decoder. Whatever arrives: it never fails but with a {@link WireException}, never allocates more
 * than a small multiple of what has arrived, and gives every buffer back. A failure names the seed.
 */
class FrameDecoderFuzzTest {

    private static final int ROUNDS = 200;

    /** Unpooled, so that the bytes in use are exactly those of live buffers. */
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

    @AfterEach
    void everyBufferWasGivenBack() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void survivesRandomBytes(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            feed(seed, random, bytes).close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void survivesRandomPreludesWithTheRightMagic(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var bytes = new byte[WireFormat.PRELUDE + random.nextInt(200)];
            random.nextBytes(bytes);
            var frame = Unpooled.wrappedBuffer(bytes);
            frame.setShort(WireFormat.MAGIC_AT, WireFormat.MAGIC).setByte(WireFormat.VERSION_AT, WireFormat.VERSION);
            frame.setInt(WireFormat.HEADER_LENGTH_AT, random.nextInt() >> random.nextInt(32));
            frame.setInt(WireFormat.LENGTH_AT, random.nextInt() >> random.nextInt(32));
            feed(seed, random, bytes).close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void joinsTornFramesWhereverTheyAreCut(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS / 4; round++) {
            var sent = frames(random);
            try (var result = feed(seed, random, encode(sent))) {
                assertThat(result.frames).as("seed %d round %d", seed, round).isEqualTo(sent);
                assertThat(result.error).isNull();
            }
            sent.forEach(Frame::release);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {26, 27, 28})
    void leavesOutFramesThatAreRefusedWhereverTheyAreCut(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS / 4; round++) {
            var sent = frames(random);
            int most = random.nextInt(600);
            try (var result = feed(seed, random, encode(sent), (type, header, bodyBytes) -> refusal(bodyBytes, most))) {
                var taken = sent.stream()
                        .filter(frame -> frame.body().readableBytes() <= most)
                        .toList();
                assertThat(result.frames).as("seed %d round %d", seed, round).isEqualTo(taken);
                assertThat(result.refused)
                        .as("seed %d round %d", seed, round)
                        .isEqualTo(sent.stream()
                                .filter(frame -> !taken.contains(frame))
                                .map(Frame::requestId)
                                .toList());
            }
            sent.forEach(Frame::release);
        }
    }

    private static @Nullable WireException refusal(int bodyBytes, int most) {
        return bodyBytes <= most ? null : new WireException(WireCode.BUSY, "too long");
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void noticesAFlippedBitButForBodiesWithChecksumsOfTheirOwn(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var sent = frame(random);
            var bytes = encode(List.of(sent));
            int bit = random.nextInt(bytes.length * 8);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            try (var result = feed(seed, random, bytes)) {
                assertThat(result.frames)
                        .as("seed %d bit %d", seed, bit)
                        .hasSize(isLeftToTheReader(sent, bit / 8) ? 1 : 0);
            }
            sent.release();
        }
    }

    private static boolean isLeftToTheReader(Frame frame, int offset) {
        int body = WireFormat.PRELUDE + frame.header().readableBytes();
        return !Frame.checksBody(frame.type())
                && offset >= body
                && offset < body + frame.body().readableBytes();
    }

    @Test
    void refusesAHostileLengthBeforeItAllocates() {
        for (long length :
                new long[] {0, 23, WireFormat.MIN_LENGTH + 16L * 1024 * 1024 + 65537, 0x7FFFFFFFL, 0xFFFFFFFFL}) {
            var prelude = prelude(length, 0);
            try (var result = feed(0, new Random(0), prelude)) {
                assertThat(result.error).as("length %d", length).isNotNull();
                assertThat(result.peakBytes).isLessThan(1024 * 1024);
            }
        }
    }

    @Test
    void refusesAHeaderLongerThanItsFrame() {
        try (var result = feed(0, new Random(0), prelude(WireFormat.MIN_LENGTH + 10, 11))) {
            assertThat(result.error).isNotNull().extracting(WireException::code).isEqualTo(WireCode.MALFORMED);
        }
    }

    @Test
    void announcedBytesCostLittleUntilTheyArrive() {
        var channel = channel(new ArrayList<>(), FrameGate.OPEN);
        channel.writeInbound(allocator.buffer().writeBytes(prelude(WireFormat.MIN_LENGTH + 16L * 1024 * 1024, 0)));

        assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(64 * 1024);

        channel.finishAndReleaseAll();
    }

    @Test
    void refusesAnotherVersionAndNamesBoth() {
        var bytes = prelude(WireFormat.MIN_LENGTH, 0);
        bytes[WireFormat.VERSION_AT] = 2;
        try (var result = feed(0, new Random(0), bytes)) {
            assertThat(result.error).isNotNull().hasMessage("protocol version 2, this node speaks version 1");
        }
    }

    /** Cuts bytes at random places, feeds the pieces, and checks the memory held after each. */
    private Result feed(long seed, Random random, byte[] bytes) {
        return feed(seed, random, bytes, FrameGate.OPEN);
    }

    private Result feed(long seed, Random random, byte[] bytes, FrameGate gate) {
        var errors = new ArrayList<Throwable>();
        var channel = channel(errors, gate);
        long peak = 0;
        int at = 0;
        while (at < bytes.length) {
            int piece = 1 + random.nextInt(Math.max(1, bytes.length - at));
            channel.writeInbound(allocator.buffer(piece).writeBytes(bytes, at, piece));
            at += piece;
            peak = Math.max(peak, allocator.metric().usedDirectMemory());
            assertThat(peak).as("seed %d, after %d bytes", seed, at).isLessThanOrEqualTo(64 * 1024 + 6L * at);
        }
        assertThat(errors).as("seed %d", seed).hasSizeLessThanOrEqualTo(1).allMatch(WireException.class::isInstance);
        return new Result(channel, errors.isEmpty() ? null : (WireException) errors.getFirst(), peak);
    }

    private EmbeddedChannel channel(List<Throwable> errors, FrameGate gate) {
        var channel = new EmbeddedChannel();
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(new FrameDecoder(gate), new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                errors.add(cause);
            }
        });
        return channel;
    }

    private static byte[] prelude(long length, int header) {
        var bytes = new byte[WireFormat.PRELUDE];
        Unpooled.wrappedBuffer(bytes)
                .setInt(WireFormat.LENGTH_AT, (int) length)
                .setShort(WireFormat.MAGIC_AT, WireFormat.MAGIC)
                .setByte(WireFormat.VERSION_AT, WireFormat.VERSION)
                .setInt(WireFormat.HEADER_LENGTH_AT, header);
        return bytes;
    }

    private static List<Frame> frames(Random random) {
        var frames = new ArrayList<Frame>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            frames.add(frame(random));
        }
        return frames;
    }

    private static Frame frame(Random random) {
        return new Frame(
                random.nextInt(256),
                random.nextLong(),
                random.nextInt(Integer.MAX_VALUE),
                bytes(random, random.nextInt(100)),
                bytes(random, random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(500)));
    }

    private static ByteBuf bytes(Random random, int size) {
        var bytes = new byte[size];
        random.nextBytes(bytes);
        return Unpooled.wrappedBuffer(bytes);
    }

    private static byte[] encode(List<Frame> frames) {
        var channel = new EmbeddedChannel(new FrameEncoder());
        frames.forEach(frame -> channel.writeOutbound(new Frame(
                frame.type(),
                frame.requestId(),
                frame.deadlineMillis(),
                frame.header().retainedDuplicate(),
                frame.body().retainedDuplicate())));
        return FrameFormatTest.allOutbound(channel);
    }

    private static final class Result implements AutoCloseable {

        private final List<Frame> frames = new ArrayList<>();
        private final List<Long> refused = new ArrayList<>();
        private final EmbeddedChannel channel;
        private final @Nullable WireException error;
        private final long peakBytes;

        Result(EmbeddedChannel channel, @Nullable WireException error, long peakBytes) {
            this.channel = channel;
            this.error = error;
            this.peakBytes = peakBytes;
            for (Object message; (message = channel.readInbound()) != null; ) {
                if (message instanceof RefusedFrame frame) {
                    refused.add(frame.requestId());
                } else {
                    frames.add((Frame) message);
                }
            }
        }

        @Override
        public void close() {
            frames.forEach(Frame::release);
            channel.finishAndReleaseAll();
        }
    }
}
