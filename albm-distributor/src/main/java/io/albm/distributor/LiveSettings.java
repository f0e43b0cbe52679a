// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.Units;
import io.albm.core.text.Nearest;
import io.albm.distributor.backend.BackendDirectory;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.Threshold;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what operators change while requests run. A value that makes no sense is refused with the reason, and what was
 * in force stays; a value that is taken back gives way to the one that the process was started with.
 */
final class LiveSettings {
    static final String SCOPE = "distributor";
    static final String POLICY = "policy";
    static final String RELIEVE = "threshold.available-memory.relieve";
    static final String RECOVER = "threshold.available-memory.recover";

    private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);
    private static final List<String> KEYS = List.of(POLICY, RELIEVE, RECOVER);

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
        attempt(() -> directory.routeBy(settings.getOrDefault(POLICY, startPolicy)));
        attempt(() -> directory.relieveBy(startRelief.withAvailableMemory(levels(settings))));
    }

    private Threshold levels(Map<String, String> settings) {
        Threshold start = startRelief.availableMemory();
        return new Threshold(size(settings, RELIEVE, start.relieve()), size(settings, RECOVER, start.recover()));
    }

    private static long size(Map<String, String> settings, String key, long otherwise) {
        String text = settings.get(key);
        if (text == null) {
            return otherwise;
        }
        try {
            return Units.parseSize(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + " = '" + text + "': expected a size such as 100 MiB", e);
        }
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
