// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.admin.Health;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Thresholds;
import io.albm.core.text.Nearest;
import io.albm.core.topology.Fingerprint;
import io.albm.core.topology.Mistake;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import io.albm.distributor.routing.ReliefSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what operators change while requests run: topology and thresholds. Live settings lie over those of the start
 * key by key; one that is taken back gives way to the start, one that is empty stands for none at all. Settings with a
 * mistake are refused as a whole and with all reasons, and what was in force stays.
 *
 * <p>They are applied off the cluster's thread, one after the other. When they change faster than that, those in between
 * are left out. Thread-safe.
 */
final class LiveSettings {
    static final String SCOPE = "distributor";

    private static final String HEALTH = "live-settings";
    private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

    private final Map<String, String> start;
    private final ReliefSettings startRelief;
    private final Served served;
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
    record State(String settings, @Nullable Refused refused) {}

    /** Live settings that are not in force, and why. */
    record Refused(String settings, List<Mistake> mistakes) {}

    /**
     * Live settings over those that the process was started with.
     *
     * @param blocking where settings are applied
     * @param health told while the last settings are refused
     * @param refused counts settings that were refused
     */
    LiveSettings(
            Map<String, String> start,
            ReliefSettings startRelief,
            Served served,
            Executor blocking,
            Health health,
            LongAdder refused) {
        this.start = Collections.unmodifiableMap(new TreeMap<>(start));
        this.startRelief = startRelief;
        this.served = served;
        this.blocking = blocking;
        this.health = health;
        this.refused = refused;
    }

    /**
     * Serves what the process was started with.
     *
     * @throws TopologyException if this machine cannot
     */
    void begin() {
        change(Map.of());
    }

    /** Takes over all live settings of the scope, soon. Does not block. */
    void apply(Map<String, String> settings) {
        if (waiting.getAndSet(settings) == null) {
            blocking.execute(this::applyWaiting);
        }
    }

    private synchronized void applyWaiting() {
        Map<String, String> settings = waiting.getAndSet(null);
        if (settings == null) {
            return;
        }
        try {
            change(settings);
            health.clear(HEALTH);
        } catch (TopologyException e) {
            refuse(settings, e);
        }
    }

    private synchronized void change(Map<String, String> settings) {
        String fingerprint = Fingerprint.of(settings);
        if (!fingerprint.equals(state.settings)) {
            List<Mistake> mistakes = new ArrayList<>();
            Topology topology = topology(settings, mistakes);
            Thresholds thresholds = thresholds(settings, mistakes);
            if (topology == null || thresholds == null || !mistakes.isEmpty()) {
                throw new TopologyException(mistakes);
            }
            served.change(topology, startRelief.with(thresholds));
        }
        state = new State(fingerprint, null);
    }

    private @Nullable Topology topology(Map<String, String> settings, List<Mistake> mistakes) {
        Map<String, String> laidOver = new TreeMap<>(start);
        settings.forEach((key, value) -> {
            if (Topology.owns(key)) {
                laidOver.put(key, value);
            } else if (!ThresholdSettings.keys().contains(key)) {
                mistakes.add(new Mistake(key, "no such setting" + Nearest.hint(key, known())));
            }
        });
        laidOver.values().removeIf(String::isBlank);
        try {
            return Topology.parse(laidOver);
        } catch (TopologyException e) {
            mistakes.addAll(e.mistakes());
            return null;
        }
    }

    private static List<String> known() {
        return Stream.concat(Stream.of(Topology.POLICY), ThresholdSettings.keys().stream())
                .toList();
    }

    private @Nullable Thresholds thresholds(Map<String, String> settings, List<Mistake> mistakes) {
        try {
            return ThresholdSettings.inForce(settings, startRelief.thresholds());
        } catch (IllegalArgumentException e) {
            mistakes.add(new Mistake("threshold", String.valueOf(e.getMessage())));
            return null;
        }
    }

    private void refuse(Map<String, String> settings, TopologyException why) {
        refused.increment();
        LOG.error("live settings refused, the old ones stay: {}", why.getMessage());
        health.warn(HEALTH, "refused, the old ones are in force: " + why.getMessage());
        state = new State(state.settings, new Refused(Fingerprint.of(settings), why.mistakes()));
    }

    /** What the process was started with. */
    Map<String, String> start() {
        return start;
    }

    /** What came of the last settings. */
    State state() {
        return state;
    }
}
