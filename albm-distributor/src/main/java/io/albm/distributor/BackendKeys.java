// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.topology.PoolSpec;
import io.albm.distributor.backend.BackendSettings;
import java.time.Duration;
import java.util.List;

/** When a backend is up. */
final class BackendKeys {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    static final Key<Duration> COUNTERS_MAX_AGE = Key.duration(
            "counters-max-age",
            Duration.ofSeconds(30),
            MILLISECOND,
            HOUR,
            "Older counters are not believed: the host is judged by its health checks alone.");
    static final Key<String> CHECK_PATH = Key.of(
            "check-path",
            "PATH",
            "a path from its '/': printable ASCII without '#' and spaces",
            "/",
            "What a health check asks for; any answer below 500 is a good one. In mode tcp connecting is enough.",
            BackendKeys::checkPath);
    static final Key<Duration> CHECK_INTERVAL = Key.duration(
            "check-interval", Duration.ofSeconds(1), Duration.ofMillis(10), HOUR, "Time between two health checks.");
    static final Key<Duration> CHECK_TIMEOUT =
            Key.duration("check-timeout", Duration.ofSeconds(2), MILLISECOND, HOUR, "Time for a whole health check.");
    static final Key<Integer> RISE =
            Key.integer("rise", 2, 1, 1_000, "Good health checks in a row that bring a backend up.");
    static final Key<Integer> FALL =
            Key.integer("fall", 3, 1, 1_000, "Bad health checks in a row that take a backend down.");
    static final Key<Integer> CONNECT_FAILURES = Key.integer(
            "connect-failures",
            3,
            1,
            1_000,
            "Failed connections of requests in a row that take a backend down without waiting for checks.");

    /** All of them, in the order of the help. */
    static final List<Key<?>> ALL =
            List.of(COUNTERS_MAX_AGE, CHECK_PATH, CHECK_INTERVAL, CHECK_TIMEOUT, RISE, FALL, CONNECT_FAILURES);

    private BackendKeys() {}

    private static String checkPath(String text) {
        if (!PoolSpec.isCheckPath(text)) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    static BackendSettings settings(Configuration configuration) {
        return new BackendSettings(
                configuration.get(CHECK_PATH),
                configuration.get(CHECK_INTERVAL),
                configuration.get(CHECK_TIMEOUT),
                configuration.get(RISE),
                configuration.get(FALL),
                configuration.get(CONNECT_FAILURES),
                configuration.get(ProxyKeys.MAX_BACKEND_CONNECTIONS),
                configuration.get(COUNTERS_MAX_AGE),
                ProtectionKeys.settings(configuration));
    }
}
