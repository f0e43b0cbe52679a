// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.proc.ProcText;
import io.albm.core.proc.Rate;

/** One block device, and what it did since the last sample. */
final class Disk {
    private static final int NAME = 2;
    private static final int SECTORS_READ = 5;
    private static final int SECTORS_WRITTEN = 9;
    private static final int MILLIS_BUSY = 12;

    /** The kernel's unit in this file, whatever the disk's own is. */
    private static final double BYTES_PER_SECTOR = 512;

    private static final double MILLIS_PER_SECOND = 1e3;

    private final byte[] label;
    private final boolean whole;
    private final Rate sectors = new Rate();
    private final Rate busyMillis = new Rate();
    private double bytesPerSecond;
    private double busy;

    /**
     * A device that has done nothing yet.
     *
     * @param whole whether it is a disk by itself
     */
    Disk(String name, boolean whole) {
        this.label = ProcText.label(name + " ");
        this.whole = whole;
    }

    /** Whether a line {@code major minor name reads …} starts there. */
    static boolean isDevice(ProcText text, int line) {
        return text.field(line, NAME + 1) != ProcText.ABSENT;
    }

    /** The device's name on its line. */
    static String name(ProcText text, int line) {
        int from = text.field(line, NAME);
        return text.substring(from, text.find(' ', from));
    }

    boolean isOn(ProcText text, int line) {
        int name = text.field(line, NAME);
        return name >= 0 && text.startsWith(label, name);
    }

    boolean isWhole() {
        return whole;
    }

    void update(ProcText text, int line, long nowNanos) {
        long moved = number(text, line, SECTORS_READ) + number(text, line, SECTORS_WRITTEN);
        bytesPerSecond = BYTES_PER_SECTOR * sectors.update(nowNanos, moved);
        busy = Math.min(1, busyMillis.update(nowNanos, number(text, line, MILLIS_BUSY)) / MILLIS_PER_SECOND);
    }

    private static long number(ProcText text, int line, int field) {
        return Math.max(0, text.numberAt(text.field(line, field)));
    }

    double bytesPerSecond() {
        return bytesPerSecond;
    }

    /** Share of time in which it had work, 0 to 1. */
    double busy() {
        return busy;
    }
}
