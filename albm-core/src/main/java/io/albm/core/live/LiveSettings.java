// SPDX-License-Identifier: Apache-2.0
package io.albm.core.live;

import io.albm.core.admin.Health;
import io.albm.core.topology.Fingerprint;
import io.albm.core.topology.Mistake;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what operators change while requests run. Settings with a mistake are refused as a whole and with all reasons,
 * and what was in force stays.
 *
 * <p>They are applied off the cluster's thread, one after the other. When they change faster than that, those in between
 * are left out. Thread-safe.
 */
public final class LiveSettings {

    private static final String HEALTH = "live-settings";
    private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

    private final Function<Map<String, String>, List<Mistake>> change;
    private final Executor blocking;
    private final Health health;
    private final LongAdder refused;
    private final AtomicReference<@Nullable Map<String, String>> waiting = new AtomicReference<>();
    private volatile State state = new State("", null);

    /**
     * What came of the live settings.
     *
     * @param settings fingerprint of those in force
     * @param refused later ones that are not; null if there are none
     */
    public record State(String settings, @Nullable Refused refused) {}

    /** Live settings that are not in force, and why. */
    public record Refused(String settings, List<Mistake> mistakes) {}

    /**
     * @param change puts all live settings of the role in force, or names what is wrong with them and changes nothing; may
     *     block
     * @param blocking where it runs
     * @param health told while the last settings are refused
     * @param refused counts settings that were refused
     */
    public LiveSettings(
            Function<Map<String, String>, List<Mistake>> change, Executor blocking, Health health, LongAdder refused) {
        this.change = change;
        this.blocking = blocking;
        this.health = health;
        this.refused = refused;
    }

    /**
     * Puts what the process was started with in force, before there are live settings.
     *
     * @return what is wrong with it
     */
    public synchronized List<Mistake> begin() {
        return change(Map.of());
    }

    /** Takes over all live settings of the role, soon. Does not block. */
    public void apply(Map<String, String> settings) {
        if (waiting.getAndSet(settings) == null) {
            blocking.execute(this::applyWaiting);
        }
    }

    private synchronized void applyWaiting() {
        Map<String, String> settings = waiting.getAndSet(null);
        if (settings == null) {
            return;
        }
        List<Mistake> mistakes = change(settings);
        if (mistakes.isEmpty()) {
            health.clear(HEALTH);
        } else {
            refuse(settings, mistakes);
        }
    }

    private List<Mistake> change(Map<String, String> settings) {
        String fingerprint = Fingerprint.of(settings);
        boolean inForce = fingerprint.equals(state.settings) && state.refused == null;
        List<Mistake> mistakes = inForce ? List.of() : change.apply(settings);
        if (mistakes.isEmpty()) {
            state = new State(fingerprint, null);
        }
        return mistakes;
    }

    private void refuse(Map<String, String> settings, List<Mistake> mistakes) {
        String why = mistakes.stream().map(Mistake::toString).collect(Collectors.joining("; "));
        refused.increment();
        LOG.error("live settings refused, the old ones stay: {}", why);
        health.warn(HEALTH, "refused, the old ones are in force: " + why);
        state = new State(state.settings, new Refused(Fingerprint.of(settings), List.copyOf(mistakes)));
    }

    /** What came of the last settings. */
    public State state() {
        return state;
    }
}
