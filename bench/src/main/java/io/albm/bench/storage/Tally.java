// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.util.List;

/**
 * What a program of the load has done: bytes or operations, between two readings of the kernel's monotonic clock, which is
 * the same for all processes.
 *
 * @param amount that was done
 * @param begin in nanoseconds
 * @param end in nanoseconds, after {@code begin}
 */
record Tally(long amount, long begin, long end) {
    Tally {
        if (end <= begin) {
            throw new IllegalArgumentException("from " + begin + " to " + end + ": takes no time");
        }
    }

    /** Ends now. */
    static Tally since(long begin, long amount) {
        return new Tally(amount, begin, System.nanoTime());
    }

    /** Of the line that {@link #toString} makes. */
    static Tally parse(String line) {
        String[] fields = line.strip().split(" ", -1);
        if (fields.length != 3) {
            throw new IllegalArgumentException("'" + line + "': expected an amount and two times");
        }
        return new Tally(Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    }

    /** Programs side by side: from the first's begin to the last's end. */
    static Tally together(List<Tally> all) {
        return new Tally(
                all.stream().mapToLong(Tally::amount).sum(),
                all.stream().mapToLong(Tally::begin).min().orElseThrow(),
                all.stream().mapToLong(Tally::end).max().orElseThrow());
    }

    /** How many in a second. */
    double perSecond() {
        return amount * 1e9 / (end - begin);
    }

    /** Bytes as megabytes in a second. */
    double megabytesPerSecond() {
        return perSecond() / 1e6;
    }

    @Override
    public String toString() {
        return amount + " " + begin + " " + end;
    }
}
