// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripeEncoderTest {
    private static final int UNIT = StripeGeometry.MIN_UNIT_BYTES;

    private final Random random = new Random(12);

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "2, 1", "2, 2", "4, 0", "4, 1", "4, 2", "32, 2"})
    void makesTheParityThatTheDataUnitsHave(int dataUnits, int parityUnits) {
        StripeGeometry geometry = new StripeGeometry(dataUnits, parityUnits, UNIT);
        StripeEncoder encoder = new StripeEncoder(geometry, ByteBufAllocator.DEFAULT);
        // One encoder makes a stripe after the other, and the last one ends early.
        for (int bytes : List.of(geometry.stripeBytes(), geometry.stripeBytes() - 13, 5, UNIT, 1)) {
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            List<ByteBuf> data = dataOf(encoder, ByteBuffer.wrap(content));
            List<ByteBuf> parity = encoder.takeParity();

            assertThat(bytesOf(data)).as("%d bytes", bytes).isDeepEqualTo(cut(content));
            List<ByteBuf> expected = restored(geometry, data);
            assertThat(bytesOf(parity)).as("parity of %d bytes", bytes).isDeepEqualTo(bytesOf(expected));
            List.of(data, parity, expected).forEach(units -> units.forEach(ByteBuf::release));
        }
        encoder.release();
    }

    /** In parts of all lengths, as they come. */
    private List<ByteBuf> dataOf(StripeEncoder encoder, ByteBuffer content) {
        List<ByteBuf> data = new ArrayList<>();
        while (content.hasRemaining()) {
            int part = Math.min(content.remaining(), 1 + random.nextInt(UNIT));
            ByteBuffer source = content.slice(content.position(), part);
            while (source.hasRemaining()) {
                encoder.write(source);
                if (encoder.isUnitFull()) {
                    data.add(encoder.take());
                }
            }
            content.position(content.position() + part);
        }
        if (!encoder.isEmpty()) {
            data.add(encoder.take());
        }
        return data;
    }

    private static byte[][] cut(byte[] content) {
        return IntStream.range(0, Math.ceilDiv(content.length, UNIT))
                .mapToObj(unit -> Arrays.copyOfRange(content, unit * UNIT, Math.min(content.length, (unit + 1) * UNIT)))
                .toArray(byte[][]::new);
    }

    private static byte[][] bytesOf(List<ByteBuf> units) {
        return units.stream().map(ByteBufUtil::getBytes).toArray(byte[][]::new);
    }

    private static List<ByteBuf> restored(StripeGeometry geometry, List<ByteBuf> data) {
        Map<Integer, ByteBuf> known = new HashMap<>();
        data.forEach(unit -> known.put(known.size(), unit));
        List<Integer> parity =
                IntStream.range(geometry.dataUnits(), geometry.width()).boxed().toList();
        return StripeCode.restore(
                geometry.dataUnits(), known, parity, data.getFirst().readableBytes(), ByteBufAllocator.DEFAULT);
    }
}
