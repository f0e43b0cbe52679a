// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Thresholds;
import io.albm.distributor.routing.ReliefSettings;
import java.time.Duration;
import java.util.List;

/** When a host is relieved, and how it comes back. */
final class ReliefKeys {
    private static final Duration NO_TIME = Duration.ZERO;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    static final Key<String> THRESHOLDS = Key.text(
            "thresholds",
            ThresholdSettings.text(ReliefSettings.DEFAULT.thresholds()),
            "counter=relieve:recover with commas between: past the first level of any a host gets no new requests, past"
                    + " the second of all it gets them again (paper P1: 100 MB of available memory).");
    static final Key<Integer> THRESHOLD_SAMPLES = Key.integer(
            "threshold-samples",
            ReliefSettings.DEFAULT.samples(),
            1,
            1_000,
            "Samples in a row past a threshold that relieve a host or bring it back.");
    static final Key<Duration> THRESHOLD_PERIOD = Key.duration(
            "threshold-sample-period",
            ReliefSettings.DEFAULT.samplePeriod(),
            MILLISECOND,
            HOUR,
            "How long one report of an agent stands for one sample.");
    static final Key<Duration> MIN_TIME_OUT = Key.duration(
            "relief-min-time-out",
            ReliefSettings.DEFAULT.minTimeOut(),
            NO_TIME,
            HOUR,
            "How long a relieved host stays out at least.");
    static final Key<Double> MAX_SHARE = Key.decimal(
            "relief-max-share",
            ReliefSettings.DEFAULT.maxShare(),
            0,
            1,
            "Largest share of the available backends that may be relieved at once; one always serves.");
    static final Key<Duration> SLOW_START = Key.duration(
            "slow-start",
            ReliefSettings.DEFAULT.slowStart(),
            NO_TIME,
            HOUR,
            "How long a backend that joins or comes back takes to get its full share.");

    /** All of them, in the order of the help. */
    static final List<Key<?>> ALL =
            List.of(THRESHOLDS, THRESHOLD_SAMPLES, THRESHOLD_PERIOD, MIN_TIME_OUT, MAX_SHARE, SLOW_START);

    private ReliefKeys() {}

    static ReliefSettings settings(Configuration configuration) {
        return new ReliefSettings(
                thresholds(configuration),
                configuration.get(THRESHOLD_SAMPLES),
                configuration.get(THRESHOLD_PERIOD),
                configuration.get(MIN_TIME_OUT),
                configuration.get(MAX_SHARE),
                configuration.get(SLOW_START));
    }

    private static Thresholds thresholds(Configuration configuration) {
        try {
            return ThresholdSettings.parse(configuration.get(THRESHOLDS));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("thresholds (" + configuration.origin(THRESHOLDS) + "): " + e.getMessage(), e);
        }
    }
}
