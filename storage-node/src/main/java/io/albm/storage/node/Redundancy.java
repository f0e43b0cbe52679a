// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.ScrubProgress;
import io.albm.storage.ScrubReport;
import java.util.concurrent.TimeUnit;

/**
 * How many stripes lack the unit that one node should have, as far as it knows, and how long it will take until none does. A
 * node that is being rebuilt lacks all that it has not made again; another one what its last scrub found and could not repair.
 * Time comes from outside, in nanoseconds. Thread-safe.
 */
final class Redundancy {
    private boolean rebuilding;
    private long began;
    private long total;
    private long checked;
    private long left;

    /** A scrub begins; a {@code rebuild} makes all blocks again. */
    synchronized void begins(boolean rebuild, long now) {
        rebuilding = rebuild;
        began = now;
        total = 0;
        checked = 0;
    }

    synchronized void goesOn(ScrubProgress progress) {
        total = progress.total();
        checked = Math.max(checked, progress.checked());
    }

    synchronized void ends(ScrubReport report) {
        rebuilding = false;
        left = report.missing() + report.corrupt() - report.repaired();
    }

    /** Stripes that lack the node's unit. */
    synchronized long degradedStripes() {
        return rebuilding ? total - checked : left;
    }

    /** Seconds until none does, at the speed so far; NaN if nobody can tell, 0 if none does. */
    synchronized double secondsLeft(long now) {
        if (degradedStripes() == 0) {
            return 0;
        }
        double seconds = (double) (now - began) / TimeUnit.SECONDS.toNanos(1);
        return rebuilding && checked > 0 ? seconds * (total - checked) / checked : Double.NaN;
    }
}
