// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes units of a stripe from others. With data units d<sub>0</sub> to d<sub>K-1</sub>, the parity units are P, the sum of all
 * d<sub>i</sub>, and Q, the sum of all 2<sup>i</sup> d<sub>i</sub>, in {@link GaloisField}: any K of the K + 2 units give the
 * other two (H. P. Anvin, "The mathematics of RAID-6", 2004). P alone is XOR parity.
 *
 * <p>Bytes at the same offset of all units belong together and to nothing else, so that what holds for units holds
 * for any range of them.
 */
public final class StripeCode {
    private final int dataUnits;
    private final int length;
    private final ByteBufAllocator allocator;
    private final Map<Integer, ByteBuf> units;

    private StripeCode(int dataUnits, Map<Integer, ByteBuf> known, int length, ByteBufAllocator allocator) {
        this.dataUnits = dataUnits;
        this.length = length;
        this.allocator = allocator;
        this.units = new TreeMap<>(known);
    }

    /**
     * Makes units, or one range of them, from the same range of others.
     *
     * @param dataUnits K; units from 0 to K - 1 are data, K is P, K + 1 is Q
     * @param known what is known, by unit; stays the caller's. A data unit that is neither known nor lost is zeros, and so is
     *     what follows a short one
     * @param lost what to make, parity or data: at least all data units that are lost, and no more of them than there are
     *     parity units known
     * @param length bytes to make of each, at least as many as the longest of {@code known} has
     * @return what was lost, in that order, with zeros behind what was shorter; the caller releases it
     * @throws IllegalArgumentException if more is lost than what is known can tell
     */
    public static List<ByteBuf> restore(
            int dataUnits, Map<Integer, ByteBuf> known, List<Integer> lost, int length, ByteBufAllocator allocator) {
        return new StripeCode(dataUnits, known, length, allocator).restore(lost);
    }

    private int p() {
        return dataUnits;
    }

    private int q() {
        return dataUnits + 1;
    }

    private List<ByteBuf> restore(List<Integer> lost) {
        List<Integer> data = lost.stream().filter(this::isData).sorted().toList();
        long parities = units.keySet().stream().filter(unit -> !isData(unit)).count();
        if (data.size() > parities) {
            throw new IllegalArgumentException("units " + lost + " of a stripe are lost: expected at most " + parities
                    + ", as " + units.keySet() + " are known");
        }
        if (data.size() == 1) {
            restoreOne(data.getFirst());
        } else if (data.size() == 2) {
            restoreTwo(data.getFirst(), data.getLast());
        }
        lost.stream().filter(unit -> unit == p()).forEach(unit -> units.put(unit, sum()));
        lost.stream().filter(unit -> unit == q()).forEach(unit -> units.put(unit, weightedSum()));
        return lost.stream().map(units::get).toList();
    }

    private boolean isData(int unit) {
        return unit < dataUnits;
    }

    private void restoreOne(int unit) {
        units.put(unit, units.containsKey(p()) ? sumWithout() : fromQ(unit));
    }

    private ByteBuf fromQ(int unit) {
        ByteBuf weighted = weightedSumWithout();
        Parity.multiply(weighted, GaloisField.inverse(GaloisField.power(unit)));
        return weighted;
    }

    /** Two equations: x + y is what P lacks, and 2^i x + 2^j y what Q lacks. */
    private void restoreTwo(int x, int y) {
        int xWeight = GaloisField.power(x);
        int yWeight = GaloisField.power(y);
        ByteBuf sum = sumWithout();
        ByteBuf weighted = weightedSumWithout();
        ByteBuf first = copy(sum);
        Parity.multiply(first, yWeight);
        Parity.xorInto(first, weighted);
        Parity.multiply(first, GaloisField.inverse(xWeight ^ yWeight));
        Parity.xorInto(sum, first);
        weighted.release();
        units.put(x, first);
        units.put(y, sum);
    }

    /** What P has of the data units that are lost. */
    private ByteBuf sumWithout() {
        return sum(Stream.concat(data(), Stream.of(unit(p()))));
    }

    /** What Q has of the data units that are lost. */
    private ByteBuf weightedSumWithout() {
        ByteBuf weighted = weightedSum();
        Parity.xorInto(weighted, unit(q()));
        return weighted;
    }

    private ByteBuf sum() {
        return sum(data());
    }

    private ByteBuf sum(Stream<ByteBuf> terms) {
        ByteBuf sum = buffer();
        Parity.sum(sum, terms.toList());
        return sum;
    }

    private ByteBuf weightedSum() {
        ByteBuf sum = buffer();
        Parity.doublingSum(sum, data().toList().reversed());
        return sum;
    }

    private Stream<ByteBuf> data() {
        return IntStream.range(0, dataUnits).mapToObj(this::unit);
    }

    private ByteBuf unit(int unit) {
        return units.getOrDefault(unit, Unpooled.EMPTY_BUFFER);
    }

    /** Where a unit is to be made. What is in it is anything. */
    private ByteBuf buffer() {
        return allocator.directBuffer(length).writerIndex(length);
    }

    private ByteBuf copy(ByteBuf unit) {
        ByteBuf copy = buffer();
        Parity.sum(copy, List.of(unit));
        return copy;
    }
}
