// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.albm.core.config.CounterUnits;
import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.BackendView;
import io.albm.distributor.routing.HostReport;
import io.albm.distributor.routing.Relief;
import org.jspecify.annotations.Nullable;

/**
 * One backend as an operator sees it.
 *
 * @param address where it listens
 * @param health {@code up}, {@code unproven}, {@code starting} (slow start), {@code down}, {@code ejected},
 *     {@code draining}, {@code relieved} or {@code panic} (gets requests because too few others can)
 * @param reason why it gets no requests, or should not; null if all is well
 * @param share of its requests that it takes, 0 to 1
 * @param inFlight requests sent from here and not answered in full
 * @param costInFlightBytes what they are thought to hold of the host's memory
 * @param limitBytes what they may hold by the policy; null if it limits nothing
 * @param relieved since when and by what it is relieved; null if it is not
 * @param counters the host's last counters; null if there are none to believe
 * @param countersAgeSeconds how old they are; null without counters
 * @param weight how much it should take against the others, where the policy heeds it
 * @param checks what its health checks have come to
 * @param load what is in flight now
 */
public record BackendStatus(
        String id,
        String address,
        String health,
        @Nullable String reason,
        double share,
        int inFlight,
        long costInFlightBytes,
        @Nullable Long limitBytes,
        @Nullable ReliefStatus relieved,
        @Nullable CounterSample counters,
        @Nullable Double countersAgeSeconds,
        double weight,
        CheckStatus checks,
        @JsonIgnore BackendLoad load) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Why it is relieved.
     *
     * @param forSeconds how long it has been
     * @param value the counter's value when it was relieved
     */
    public record ReliefStatus(double forSeconds, String counter, double value) {}

    /** How a standing is said. */
    private record Words(String health, @Nullable String reason) {}

    static BackendStatus of(
            Backend backend,
            Health health,
            Standing standing,
            BackendView view,
            @Nullable Relief relief,
            @Nullable Long limitBytes,
            CheckStatus checks,
            long nowNanos) {
        HostReport report = view.report();
        Words words = words(standing, health, relief, nowNanos);
        return new BackendStatus(
                backend.id(),
                backend.address().toString(),
                words.health,
                words.reason,
                standing.takesRequests() && relief == null ? standing.share() : 0,
                backend.inFlight(),
                backend.load().costInFlight(),
                limitBytes,
                relief == null
                        ? null
                        : new ReliefStatus(seconds(nowNanos - relief.sinceNanos()), relief.counter(), relief.value()),
                report == null ? null : report.sample(),
                report == null ? null : seconds(nowNanos - report.receivedNanos()),
                view.weight(),
                checks,
                backend.load());
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    private static Words words(Standing standing, Health health, @Nullable Relief relief, long nowNanos) {
        return switch (standing) {
            case Standing.Serving _ when relief != null -> new Words("relieved", text(relief));
            case Standing.Serving(double share) when share < 1 -> new Words("starting", null);
            case Standing.Serving _ -> new Words(health instanceof Health.Unproven ? "unproven" : "up", null);
            case Standing.Down(String reason) -> new Words("down", reason);
            case Standing.Ejected(String reason, long until) ->
                new Words("ejected", reason + "; for " + Math.round(seconds(until - nowNanos)) + " s more");
            case Standing.Draining(String who) -> new Words("draining", who);
            case Standing.Panicking(Standing despite) -> {
                Words calm = words(despite, health, relief, nowNanos);
                yield new Words("panic", "too few can serve; it is " + calm.health + ": " + calm.reason);
            }
        };
    }

    /** An agent may name a counter that this version does not know. */
    private static String text(Relief relief) {
        return relief.counter() + " = "
                + Counter.find(relief.counter())
                        .map(counter -> CounterUnits.rounded(counter, relief.value()))
                        .orElseGet(() -> Double.toString(relief.value()));
    }

    BackendStatus current() {
        return new BackendStatus(
                id,
                address,
                health,
                reason,
                share,
                load.inFlight(),
                load.costInFlight(),
                limitBytes,
                relieved,
                counters,
                countersAgeSeconds,
                weight,
                checks,
                load);
    }
}
