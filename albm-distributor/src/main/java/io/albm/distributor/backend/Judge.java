// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Weighs what is known of all backends and says which take requests.
 *
 * <p>A backend takes part only if everybody agrees: its health, its agent, the operator and its own answers. No good word
 * of one overrides a bad word of another. The one exception is <b>panic</b>: when fewer than a share of those that nobody
 * drained would be left, the few would fall under the load of the many; then those that are ejected
 * or answer their checks badly take requests, too, and it shows. One that does not answer is left out even then: it
 * would only cost time. Confined to the
 * directory's thread.
 */
final class Judge {
    private final ProtectionSettings settings;
    private final OutlierWatch outliers;
    private final Ramp ramp;

    Judge(ProtectionSettings settings) {
        this.settings = settings;
        this.outliers = new OutlierWatch(settings);
        this.ramp = new Ramp(settings);
    }

    /**
     * What is known of one backend.
     *
     * @param drainedBy who said that it should get nothing new; null if nobody did
     */
    record Seen(String id, Health health, @Nullable String drainedBy, Answers answers) {
        boolean isHealthy() {
            return drainedBy == null && health.serves();
        }
    }

    /** The standing of each, by id. */
    Map<String, Standing> judge(List<Seen> seen, long nowNanos) {
        Map<String, OutlierWatch.Ejection> ejected = outliers.observe(
                seen.stream()
                        .filter(Seen::isHealthy)
                        .map(one -> new OutlierWatch.Healthy(one.id, one.answers))
                        .toList(),
                ids(seen),
                nowNanos);
        Set<String> able = ids(seen.stream()
                .filter(one -> one.isHealthy() && !ejected.containsKey(one.id))
                .toList());
        ramp.observe(able, nowNanos);
        long wanted = seen.stream().filter(one -> one.drainedBy == null).count();
        boolean panic = able.isEmpty() || able.size() < settings.panicShare() * wanted;
        var standings = new HashMap<String, Standing>();
        for (Seen one : seen) {
            Standing calm = calmly(one, ejected.get(one.id), nowNanos);
            standings.put(one.id, panic && mayHelp(one, calm) ? new Standing.Panicking(calm) : calm);
        }
        return standings;
    }

    private static Set<String> ids(List<Seen> seen) {
        return seen.stream().map(Seen::id).collect(Collectors.toSet());
    }

    private Standing calmly(Seen one, OutlierWatch.@Nullable Ejection ejection, long nowNanos) {
        if (one.drainedBy != null) {
            return new Standing.Draining(one.drainedBy);
        }
        if (one.health instanceof Health.Down down) {
            return new Standing.Down(down.reason());
        }
        return ejection == null
                ? new Standing.Serving(ramp.share(one.id, nowNanos))
                : new Standing.Ejected(ejection.reason(), ejection.untilNanos());
    }

    private static boolean mayHelp(Seen one, Standing calm) {
        return switch (calm) {
            case Standing.Ejected ejected -> true;
            case Standing.Down down -> one.health instanceof Health.Down health && health.answers();
            case Standing.Serving serving -> false;
            case Standing.Panicking panicking -> false;
            case Standing.Draining draining -> false;
        };
    }
}
