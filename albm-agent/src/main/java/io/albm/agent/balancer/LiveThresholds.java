// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Subscription;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Thresholds;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thresholds that the distributors judge by, live. Levels that make no sense are refused with the reason in the log,
 * and the old ones stay; so does the last view without the directory. Thread-safe.
 */
public final class LiveThresholds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveThresholds.class);
    private static final String SCOPE = "distributor";

    private final Thresholds start;
    private final Subscription subscription;
    private volatile Thresholds present;

    /**
     * Follows the cluster from now on.
     *
     * @param start in force where the cluster sets none
     */
    public LiveThresholds(Cluster cluster, Thresholds start) {
        this.start = start;
        this.present = start;
        this.subscription = cluster.configuration(SCOPE).onChange(this::apply);
    }

    private void apply(Map<String, String> settings) {
        try {
            present = ThresholdSettings.inForce(settings, start);
        } catch (IllegalArgumentException e) {
            LOG.error("live thresholds refused, the old ones stay: {}", e.getMessage());
        }
    }

    /** Those in force. */
    public Thresholds get() {
        return present;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
