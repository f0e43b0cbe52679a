// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

/**
 * TCP segments of a host since it was started, as its kernel counts them.
 *
 * @param sent those sent again excluded, at least 0
 * @param retransmitted sent again, at least 0
 */
public record TcpSegments(long sent, long retransmitted) {
    /** None at all. */
    public static final TcpSegments NONE = new TcpSegments(0, 0);

    /** A share of fewer segments says nothing: one loss alone must not look like one in a hundred. */
    static final long FEWEST = 100;

    /** What was counted since; none if the host was started anew meanwhile. */
    public TcpSegments since(TcpSegments before) {
        boolean isSameCount = sent >= before.sent && retransmitted >= before.retransmitted;
        return isSameCount ? new TcpSegments(sent - before.sent, retransmitted - before.retransmitted) : NONE;
    }

    /** Both together. */
    public TcpSegments plus(TcpSegments other) {
        return new TcpSegments(sent + other.sent, retransmitted + other.retransmitted);
    }

    /** Share of segments sent again, 0 to 1, counted over {@value #FEWEST} at least. */
    public double retransmitShare() {
        return Math.min(1, retransmitted / (double) Math.max(FEWEST, sent + retransmitted));
    }
}
