// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.distributor.backend.ProtectionSettings;
import java.time.Duration;
import java.util.List;

/** When a backend is ejected whose checks are answered, and when the ejected serve all the same. */
final class ProtectionKeys {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    static final Key<Integer> FAILURES_IN_A_ROW = Key.integer(
            "eject-failures-in-a-row",
            ProtectionSettings.DEFAULT.failuresInARow(),
            1,
            1_000_000,
            "Failed requests in a row (no answer, or 5xx) that eject a backend whose checks are answered.");
    static final Key<Double> FAILURE_RATIO = Key.decimal(
            "eject-failure-ratio",
            ProtectionSettings.DEFAULT.failureRatio(),
            0.01,
            1,
            "Share of failed requests that ejects a backend, if it is more than twice that of the others together, and as high"
                    + " in the last fifth of the window.");
    static final Key<Integer> EJECT_MIN_REQUESTS = Key.integer(
            "eject-min-requests",
            ProtectionSettings.DEFAULT.minRequests(),
            1,
            1_000_000,
            "Requests within the window below which a ratio proves nothing.");
    static final Key<Duration> EJECT_WINDOW = Key.duration(
            "eject-window",
            ProtectionSettings.DEFAULT.window(),
            Duration.ofMillis(100),
            HOUR,
            "Time over which the ratio of failed requests is taken.");
    static final Key<Duration> EJECTION = Key.duration(
            "ejection-time",
            ProtectionSettings.DEFAULT.ejection(),
            MILLISECOND,
            HOUR,
            "How long a first ejection lasts; each next one lasts twice as long.");
    static final Key<Duration> MAX_EJECTION = Key.duration(
            "ejection-max-time",
            ProtectionSettings.DEFAULT.maxEjection(),
            MILLISECOND,
            HOUR,
            "The longest ejection; who was in for as long counts as never ejected.");
    static final Key<Double> MAX_EJECTED = Key.decimal(
            "ejection-max-share",
            ProtectionSettings.DEFAULT.maxEjectedShare(),
            0,
            1,
            "Largest share of the healthy backends that may be ejected at once; of two or more one may, never all;"
                    + " 0 ejects none.");
    static final Key<Double> PANIC_SHARE = Key.decimal(
            "panic-share",
            ProtectionSettings.DEFAULT.panicShare(),
            0,
            1,
            "When fewer than this share of the backends that nobody drained can serve, the ejected ones and those that"
                    + " answer checks badly serve, too.");

    /** All of them, in the order of the help. */
    static final List<Key<?>> ALL = List.of(
            FAILURES_IN_A_ROW,
            FAILURE_RATIO,
            EJECT_MIN_REQUESTS,
            EJECT_WINDOW,
            EJECTION,
            MAX_EJECTION,
            MAX_EJECTED,
            PANIC_SHARE);

    private ProtectionKeys() {}

    static ProtectionSettings settings(Configuration configuration) {
        return new ProtectionSettings(
                configuration.get(FAILURES_IN_A_ROW),
                configuration.get(FAILURE_RATIO),
                configuration.get(EJECT_MIN_REQUESTS),
                configuration.get(EJECT_WINDOW),
                configuration.get(EJECTION),
                configuration.get(MAX_EJECTION),
                configuration.get(MAX_EJECTED),
                configuration.get(PANIC_SHARE),
                configuration.get(ReliefKeys.SLOW_START));
    }
}
