// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ThresholdSettings;
import io.albm.core.text.Nearest;
import io.albm.distributor.backend.BackendDirectory;
import io.albm.distributor.routing.ReliefSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what operators change while requests run. A value that makes no sense is refused with the reason, and what was
 * in force stays; a value that is taken back gives way to the one that the process was started with.
 */
final class LiveSettings {
    static final String SCOPE = "distributor";
    static final String POLICY = "policy";

    private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);
    private static final List<String> KEYS =
            Stream.concat(Stream.of(POLICY), ThresholdSettings.keys().stream()).toList();

    private final BackendDirectory directory;
    private final String startPolicy;
    private final ReliefSettings startRelief;
    private final LongAdder refused;

    /**
     * Live settings over those that the process was started with.
     *
     * @param refused counts what makes no sense
     */
    LiveSettings(BackendDirectory directory, String startPolicy, ReliefSettings startRelief, LongAdder refused) {
        this.directory = directory;
        this.startPolicy = startPolicy;
        this.startRelief = startRelief;
        this.refused = refused;
    }

    /** Takes over all live settings of the scope. */
    void apply(Map<String, String> settings) {
        settings.keySet().stream().filter(key -> !KEYS.contains(key)).forEach(this::refuseKey);
        attempt(() -> directory.routeBy(settings.getOrDefault(POLICY, startPolicy), Set.of()));
        attempt(() ->
                directory.relieveBy(startRelief.with(ThresholdSettings.inForce(settings, startRelief.thresholds()))));
    }

    private void refuseKey(String key) {
        refuse("unknown key '" + key + "'" + Nearest.hint(key, KEYS));
    }

    private void attempt(Runnable change) {
        try {
            change.run();
        } catch (IllegalArgumentException e) {
            refuse(String.valueOf(e.getMessage()));
        }
    }

    private void refuse(String reason) {
        refused.increment();
        LOG.error("live setting refused, the old one stays: {}", reason);
    }
}
