// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * Finagle's peak EWMA: of two backends drawn at random the one with the lower latency × (requests in flight + 1).
 *
 * <p>A latency above the average replaces it at once, one below it moves it little by little ({@link DecayingLatency});
 * reads decay it, so that a backend that was slow once is asked again. One that has no history and already has requests
 * in flight costs a penalty: it gets one request to show what it can do, and more when it has answered.
 *
 * <p>Unfit where slow and fast requests are mixed: it shuns whoever happened to get the slow ones.
 */
final class PeakEwma implements RoutingPolicy {
    /** Finagle's: half of the largest long. */
    private static final double PENALTY_NANOS = Long.MAX_VALUE >> 1;

    @Override
    public Rotation rotate(RoutingView view) {
        return new TwoChoices(Candidates.of(view.backends()), PeakEwma::cost);
    }

    private static double cost(BackendLoad load, long nowNanos) {
        double latency = load.peakLatencyNanos(nowNanos);
        int inFlight = load.inFlight();
        return latency == 0 && inFlight > 0 ? PENALTY_NANOS + inFlight : latency * (inFlight + 1);
    }
}
