// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Names one write of one file, for ever: 128 random bits. A file that is replaced gets a new generation, and the blocks
 * of a generation never change, so a node that comes back with old blocks can be out of date but never wrong.
 */
public record Generation(long high, long low) implements Comparable<Generation> {
    /** Length of the text form: hexadecimal digits. */
    static final int TEXT_LENGTH = 32;

    private static final HexFormat HEX = HexFormat.of();

    public static Generation random(RandomGenerator random) {
        return new Generation(random.nextLong(), random.nextLong());
    }

    /** Reads the text form. @throws IllegalArgumentException unless it is 32 hexadecimal digits */
    public static Generation parse(String text) {
        if (text.length() != TEXT_LENGTH) {
            throw new IllegalArgumentException("generation '" + text + "': expected 32 hexadecimal digits");
        }
        return new Generation(HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32));
    }

    /** Orders as the text form does. */
    @Override
    public int compareTo(Generation other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }
}
