// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.distributor.routing.BackendView;
import io.albm.distributor.routing.HostReport;
import io.albm.distributor.routing.Relief;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One backend as an operator sees it.
 *
 * @param address where it listens
 * @param health {@code up}, {@code unproven}, {@code down}, {@code draining} or {@code relieved}
 * @param reason why it gets no requests; null if it gets some
 * @param inFlight requests sent from here and not answered in full
 * @param relieved since when and by what it is relieved; null if it is not
 * @param counters the host's last counters; null if there are none to believe
 * @param countersAgeSeconds how old they are; null without counters
 * @param liveInFlight reads the count anew
 */
public record BackendStatus(
        String id,
        String address,
        String health,
        @Nullable String reason,
        int inFlight,
        @Nullable ReliefStatus relieved,
        @Nullable CounterSample counters,
        @Nullable Double countersAgeSeconds,
        @JsonIgnore IntSupplier liveInFlight) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Why it is relieved.
     *
     * @param forSeconds how long it has been
     * @param value the counter's value when it was relieved
     */
    public record ReliefStatus(double forSeconds, String counter, double value) {}

    static BackendStatus of(Backend backend, Health health, BackendView view, @Nullable Relief relief, long nowNanos) {
        HostReport report = view.report();
        return new BackendStatus(
                backend.id(),
                backend.address().toString(),
                word(health, view, relief),
                reason(health, view, relief),
                backend.inFlight(),
                relief == null
                        ? null
                        : new ReliefStatus(seconds(nowNanos - relief.sinceNanos()), relief.counter(), relief.value()),
                report == null ? null : report.sample(),
                report == null ? null : seconds(nowNanos - report.receivedNanos()),
                backend::inFlight);
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    private static String word(Health health, BackendView view, @Nullable Relief relief) {
        return switch (health) {
            case Health.Down down -> "down";
            case Health.Up up -> serving(view, relief, "up");
            case Health.Unproven unproven -> serving(view, relief, "unproven");
        };
    }

    private static String serving(BackendView view, @Nullable Relief relief, String otherwise) {
        if (!view.available()) {
            return "draining";
        }
        return relief == null ? otherwise : "relieved";
    }

    private static @Nullable String reason(Health health, BackendView view, @Nullable Relief relief) {
        if (health instanceof Health.Down down) {
            return down.reason();
        }
        if (!view.available()) {
            return view.report() != null && view.report().health() instanceof HostHealth.Draining
                    ? "its agent says so"
                    : "an operator said so";
        }
        return relief == null ? null : relief.counter() + " = " + relief.value();
    }

    BackendStatus current() {
        return new BackendStatus(
                id,
                address,
                health,
                reason,
                liveInFlight.getAsInt(),
                relieved,
                counters,
                countersAgeSeconds,
                liveInFlight);
    }
}
