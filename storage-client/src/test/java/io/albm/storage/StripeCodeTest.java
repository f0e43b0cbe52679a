// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StripeCodeTest {
    private static final int UNIT = 61;

    private final Random random = new Random(11);

    /** Every stripe of these widths that a file can end with, as bytes of data. */
    private static IntStream stripesOf(int dataUnits) {
        return IntStream.concat(
                IntStream.rangeClosed(1, dataUnits).map(units -> units * UNIT),
                IntStream.rangeClosed(1, dataUnits)
                        .flatMap(units -> IntStream.of(1, 7, 8, 13, UNIT - 1).map(more -> (units - 1) * UNIT + more)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void makesAnyTwoUnitsFromTheOthers(int dataUnits) {
        stripesOf(dataUnits).forEach(bytes -> {
            List<byte[]> units = encoded(dataUnits, bytes);
            for (int a = 0; a < units.size(); a++) {
                for (int b = 0; b < units.size(); b++) {
                    List<Integer> lost = a == b ? List.of(a) : List.of(a, b);
                    assertThat(restored(dataUnits, units, lost))
                            .as("%s lost of %d + 2 with %d bytes", lost, dataUnits, bytes)
                            .isDeepEqualTo(lost.stream().map(units::get).toArray(byte[][]::new));
                }
            }
        });
    }

    @Test
    void makesTheLastUnitsOfTheWidestStripe() {
        List<byte[]> units = encoded(32, 31 * UNIT + 7);
        assertThat(restored(32, units, List.of(31, 0))).isDeepEqualTo(new byte[][] {units.get(31), units.get(0)});
        assertThat(restored(32, units, List.of(32, 31))).isDeepEqualTo(new byte[][] {units.get(32), units.get(31)});
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 6})
    void makesAnyUnitFromTheOthersAndXorParity(int dataUnits) {
        stripesOf(dataUnits).forEach(bytes -> {
            List<byte[]> units = encoded(dataUnits, bytes).subList(0, dataUnits + 1);
            for (int lost = 0; lost < units.size(); lost++) {
                assertThat(restored(dataUnits, units, List.of(lost))).isDeepEqualTo(new byte[][] {units.get(lost)});
            }
        });
    }

    @Test
    void makesARangeFromTheSameRangeOfTheOthers() {
        List<byte[]> units = encoded(4, 4 * UNIT);
        List<byte[]> ranges =
                units.stream().map(unit -> Arrays.copyOfRange(unit, 17, 42)).toList();
        assertThat(restored(4, ranges, List.of(3, 1))).isDeepEqualTo(new byte[][] {ranges.get(3), ranges.get(1)});
    }

    @Test
    void readsUnitsOfSeveralParts() {
        List<byte[]> units = encoded(3, 3 * UNIT);
        Map<Integer, ByteBuf> known = new HashMap<>();
        for (int unit : new int[] {0, 3, 4}) {
            known.put(unit, Unpooled.wrappedBuffer(slice(units.get(unit), 0, 20), slice(units.get(unit), 20, UNIT)));
        }
        assertThat(restore(3, known, List.of(1, 2))).isDeepEqualTo(new byte[][] {units.get(1), units.get(2)});
    }

    private static ByteBuf slice(byte[] unit, int from, int to) {
        return Unpooled.wrappedBuffer(unit, from, to - from);
    }

    /** Known from "The mathematics of RAID-6": P is the sum, Q the sum weighted with the powers of 2 modulo 0x11d. */
    @Test
    void givesTheParityThatOthersGive() {
        List<byte[]> data = List.of(new byte[] {(byte) 0x80}, new byte[] {(byte) 0x80}, new byte[] {(byte) 0x80});
        assertThat(restored(3, data, List.of(3, 4))).isDeepEqualTo(new byte[][] {
            {(byte) 0x80}, {(byte) (0x80 ^ 0x1d ^ 0x3a)}
        });
    }

    @Test
    void makesCopiesOfASingleUnit() {
        List<byte[]> units = encoded(1, UNIT);
        assertThat(units.get(1)).isEqualTo(units.get(0));
        assertThat(units.get(2)).isEqualTo(units.get(0));
    }

    @Test
    void refusesToGuess() {
        List<byte[]> units = encoded(3, 3 * UNIT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> restored(3, units, List.of(0, 1, 2)))
                .withMessageContaining("expected at most 2");
        assertThatIllegalArgumentException().isThrownBy(() -> restored(3, units, List.of(0, 1, 4)));
    }

    /** All units of a stripe, parity by schoolbook arithmetic. */
    private List<byte[]> encoded(int dataUnits, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        List<byte[]> data = IntStream.range(0, dataUnits)
                .mapToObj(unit ->
                        Arrays.copyOfRange(content, Math.min(bytes, unit * UNIT), Math.min(bytes, (unit + 1) * UNIT)))
                .toList();
        byte[] p = new byte[data.getFirst().length];
        byte[] q = new byte[p.length];
        for (int unit = 0; unit < dataUnits; unit++) {
            for (int i = 0; i < data.get(unit).length; i++) {
                p[i] ^= data.get(unit)[i];
                q[i] ^= weighted(data.get(unit)[i], unit);
            }
        }
        return Stream.concat(data.stream(), Stream.of(p, q)).toList();
    }

    private static byte weighted(byte element, int exponent) {
        int product = element & 0xff;
        for (int i = 0; i < exponent; i++) {
            product = product < 0x80 ? product << 1 : (product << 1) ^ 0x11d;
        }
        return (byte) product;
    }

    private static byte[][] restored(int dataUnits, List<byte[]> units, List<Integer> lost) {
        Map<Integer, ByteBuf> known = new HashMap<>();
        for (int unit = 0; unit < units.size(); unit++) {
            if (!lost.contains(unit) && units.get(unit).length > 0) {
                known.put(unit, Unpooled.wrappedBuffer(units.get(unit)));
            }
        }
        byte[][] made = restore(dataUnits, known, lost);
        return IntStream.range(0, made.length)
                .mapToObj(i ->
                        lost.get(i) < units.size() ? Arrays.copyOf(made[i], units.get(lost.get(i)).length) : made[i])
                .toArray(byte[][]::new);
    }

    private static byte[][] restore(int dataUnits, Map<Integer, ByteBuf> known, List<Integer> lost) {
        int length =
                known.values().stream().mapToInt(ByteBuf::readableBytes).max().orElseThrow();
        return StripeCode.restore(dataUnits, known, lost, length, ByteBufAllocator.DEFAULT).stream()
                .map(made -> {
                    byte[] bytes = ByteBufUtil.getBytes(made);
                    made.release();
                    return bytes;
                })
                .toArray(byte[][]::new);
    }
}
