// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.Ansi;
import io.albm.storage.ScrubProgress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** One line on standard error that shows how far long work has come, if a person looks at it. Thread-safe. */
final class ProgressLine implements AutoCloseable {
    private static final long REDRAW_NANOS = 100_000_000;

    private final String what;
    private final long totalBytes;
    private final boolean shown;
    private long doneBytes;
    private long drawnAt = System.nanoTime();
    private boolean drawn;

    private ProgressLine(String what, long totalBytes, boolean shown) {
        this.what = what;
        this.totalBytes = totalBytes;
        this.shown = shown;
    }

    /** @param totalBytes of the whole work, if it is counted in bytes */
    static ProgressLine open(String what, long totalBytes) {
        return new ProgressLine(what, totalBytes, Ansi.stderr().enabled());
    }

    /** Shows how far a scrub has come. */
    synchronized void blocks(ScrubProgress progress) {
        draw("%s: %d of %d blocks, %d made again (%s)"
                .formatted(
                        what,
                        progress.checked(),
                        progress.total(),
                        progress.repaired(),
                        Sizes.text(progress.repairedBytes())));
    }

    /** Shows how many bytes were read of work whose end nobody knows. */
    synchronized void bytes(long done) {
        draw(what + ": " + Sizes.text(done));
    }

    /** The stream, which shows how much of it was read. */
    InputStream counting(InputStream in) {
        restart();
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                int next = super.read();
                advance(next < 0 ? 0 : 1);
                return next;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int count = super.read(target, offset, length);
                advance(Math.max(0, count));
                return count;
            }
        };
    }

    private synchronized void restart() {
        doneBytes = 0;
    }

    /** Shows that so many bytes more are done. */
    synchronized void advance(int bytes) {
        doneBytes += bytes;
        draw(what + ": " + Sizes.text(doneBytes) + " of " + Sizes.text(totalBytes));
    }

    private void draw(String line) {
        long now = System.nanoTime();
        if (shown && now - drawnAt >= REDRAW_NANOS) {
            System.err.print("\r\u001b[K" + line);
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
