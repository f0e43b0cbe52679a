// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.core.cli.Ansi;
import java.io.PrintStream;
import java.util.Locale;

/** Lines of what happens, each with the seconds since the start; on stderr, so that stdout holds the result alone. */
final class Progress {
    private final PrintStream out;
    private final Ansi ansi;
    private final long startNanos = System.nanoTime();

    Progress(PrintStream out, Ansi ansi) {
        this.out = out;
        this.ansi = ansi;
    }

    void step(String what) {
        line(ansi.bold(what));
    }

    void fault(String what) {
        line(ansi.yellow(what));
    }

    void note(String what) {
        line("  " + what);
    }

    long seconds() {
        return (System.nanoTime() - startNanos) / 1_000_000_000L;
    }

    private synchronized void line(String text) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        out.println(ansi.dim(String.format(Locale.ROOT, "%6.1fs", seconds)) + "  " + text);
    }
}
