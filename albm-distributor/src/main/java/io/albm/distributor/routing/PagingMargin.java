// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * What a host turned out to need beyond the level of available memory that is kept free there, by its page reads.
 *
 * <p>Available memory tells how near the end is, but not where it is: it counts pages of files that the host could give up,
 * and those that its programs are at work with are among them. When it gives these up it reads them back at once, and
 * available memory stays where it is however much more is asked of the host. So paper P1 has a second counter: what is
 * read back in a second is what was missing. That much is kept free from then on, on top of the level, and tried again
 * little by little.
 *
 * <p>Pages that are read while memory is plenty are those of a program that starts or of a file that is cold: they say
 * nothing. Nor do those that are read while little of what may be in flight is: another program or another balancer has
 * filled the host, and to hold less there would not help it.
 *
 * <p>Not thread-safe.
 */
final class PagingMargin {
    private static final double NANOS_PER_SECOND = 1e9;

    private static final double PAGE_BYTES = 4 << 10;

    /** Half of it is tried again after about 20 s. */
    private static final double TIME_CONSTANT_SECONDS = 30;

    /** No report speaks for longer. */
    private static final double LONGEST_REPORT_SECONDS = 1;

    /** Of available memory to the level: above, page reads are none of a host that is short. */
    private static final double NEAR = 1.25;

    /** Of what may be in flight: below, page reads are another's doing. */
    private static final double OWN = 0.5;

    /** Of what may be in flight, so that a host that reads for another reason is not left idle. */
    private static final double LARGEST_SHARE = 0.05;

    private double bytes;
    private long updatedNanos;

    /**
     * Takes in a report.
     *
     * @param pageReads per second
     * @param freeBytes available memory that the host reports
     * @param levelBytes available memory that it is to keep
     * @param heldBytes what all distributors have in flight there
     * @param limitBytes what may be in flight there without a margin
     */
    void observe(
            double pageReads, double freeBytes, double levelBytes, double heldBytes, double limitBytes, long nowNanos) {
        double seconds = (nowNanos - updatedNanos) / NANOS_PER_SECOND;
        updatedNanos = nowNanos;
        bytes *= Math.exp(-seconds / TIME_CONSTANT_SECONDS);
        if (freeBytes < NEAR * levelBytes && heldBytes >= OWN * limitBytes) {
            bytes += pageReads * PAGE_BYTES * Math.min(seconds, LONGEST_REPORT_SECONDS);
        }
        bytes = Math.clamp(bytes, 0, Math.max(0, LARGEST_SHARE * limitBytes));
    }

    /** Bytes to keep free on top of the level. */
    long bytes() {
        return Math.round(bytes);
    }
}
