// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11D), in which 2 generates all elements but 0. A long holds eight
 * elements, which are multiplied side by side (H. P. Anvin, "The mathematics of RAID-6", 2004, section 3). Adding is XOR.
 */
final class GaloisField {
    /** What times 2 is 1. */
    static final int HALF = 0x8e;

    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long ALL_BUT_LOW_BITS = 0xfefefefefefefefeL;
    private static final long REDUCTION = 0x1d1d1d1d1d1d1d1dL;

    private GaloisField() {}

    /** Two times each of eight elements. */
    static long doubled(long elements) {
        long high = elements & HIGH_BITS;
        long carried = (high << 1) - (high >>> 7);
        return ((elements << 1) & ALL_BUT_LOW_BITS) ^ (carried & REDUCTION);
    }

    /** Each of eight elements divided by two. */
    static long halved(long elements) {
        return ((elements & ALL_BUT_LOW_BITS) >>> 1) ^ ((elements & LOW_BITS) * HALF);
    }

    /** {@code factor} times each of eight elements. */
    static long product(long elements, int factor) {
        long sum = 0;
        long power = elements;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            sum ^= power & -((factor >>> bit) & 1L);
            power = doubled(power);
        }
        return sum;
    }

    /** 2 to the power of {@code exponent}, which is 0 or more. */
    static int power(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power = doubled(power);
        }
        return (int) power;
    }

    /** What {@code element}, which is not 0, times this is 1: its 254th power. */
    static int inverse(int element) {
        long inverse = 1;
        for (int i = 0; i < 254; i++) {
            inverse = product(inverse, element);
        }
        return (int) inverse;
    }
}
