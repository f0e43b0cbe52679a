// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Thresholds;
import io.albm.core.text.Nearest;
import io.albm.core.topology.Mistake;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import io.albm.distributor.routing.ReliefSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Topology and thresholds as operators change them. Live settings lie over those of the start key by key; one that is
 * taken back gives way to the start, one that is empty stands for none at all.
 */
final class TopologySettings {
    static final String SCOPE = "distributor";

    private final Map<String, String> start;
    private final ReliefSettings startRelief;
    private final Served served;

    /** Live settings over those that the process was started with. */
    TopologySettings(Map<String, String> start, ReliefSettings startRelief, Served served) {
        this.start = Collections.unmodifiableMap(new TreeMap<>(start));
        this.startRelief = startRelief;
        this.served = served;
    }

    /** Serves by these live settings, or says what is wrong with them. */
    List<Mistake> change(Map<String, String> settings) {
        List<Mistake> mistakes = new ArrayList<>();
        Topology topology = topology(settings, mistakes);
        Thresholds thresholds = thresholds(settings, mistakes);
        if (topology != null && thresholds != null && mistakes.isEmpty()) {
            try {
                served.change(topology, startRelief.with(thresholds));
            } catch (TopologyException e) {
                mistakes.addAll(e.mistakes());
            }
        }
        return mistakes;
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

    /** What the process was started with. */
    Map<String, String> start() {
        return start;
    }
}
