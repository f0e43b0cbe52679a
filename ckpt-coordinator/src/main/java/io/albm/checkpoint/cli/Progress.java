// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.cli.Ansi;
import io.albm.core.config.Units;

/** One line on standard error that says how far long work is, if a person looks at it. Thread-safe. */
final class Progress implements AutoCloseable {
    private static final long REDRAW_NANOS = 100_000_000;

    private final String what;
    private final long totalBytes;
    private final boolean shown = Ansi.stderr().enabled();
    private long doneBytes;
    private long drawnAt = System.nanoTime();
    private boolean drawn;

    private Progress(String what, long totalBytes) {
        this.what = what;
        this.totalBytes = totalBytes;
    }

    /** Work that is counted in bytes. */
    static Progress of(String what, long totalBytes) {
        return new Progress(what, totalBytes);
    }

    /** Work of which only its state is known. */
    static Progress of(String what) {
        return new Progress(what, 0);
    }

    /** So many bytes more are done. */
    synchronized void advance(long bytes) {
        doneBytes += bytes;
        say(Units.rounded((double) doneBytes) + " of " + Units.rounded((double) totalBytes));
    }

    /** Shows how it stands. */
    synchronized void say(String state) {
        long now = System.nanoTime();
        if (shown && now - drawnAt >= REDRAW_NANOS) {
            System.err.print("\r\u001b[K" + what + ": " + state);
            drawnAt = now;
            drawn = true;
        }
    }

    /** Takes the line away. */
    @Override
    public synchronized void close() {
        if (drawn) {
            System.err.print("\r\u001b[K");
            drawn = false;
        }
    }
}
