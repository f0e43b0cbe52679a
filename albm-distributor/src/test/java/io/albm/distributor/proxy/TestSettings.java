// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.ClearText;
import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.ProxyGreeting;
import io.albm.distributor.http.Forwarding;
import java.time.Duration;

/** The settings of a proxy under test: generous in everything but what the test is about. */
final class TestSettings {
    private static final int MAX_HEAD_BYTES = 16 << 10;
    private static final int MAX_ATTEMPTS = 4;

    private int maxClients = 1_000;
    private double retryRatio = 0.2;
    private int maxConnections = 256;
    private int retryBurst = 1_000;
    private Duration headTimeout = Duration.ofSeconds(5);
    private Duration idleTimeout = Duration.ofSeconds(10);
    private int minProgressBytes;
    private Duration responseTimeout = Duration.ofSeconds(10);
    private Duration backendIdleTimeout = Duration.ofSeconds(10);
    private Duration tunnelTimeout = Duration.ofSeconds(10);
    private Duration http2DrainTimeout = Duration.ofSeconds(30);
    private FrontendMode mode = FrontendMode.HTTP;
    private ClearText clearText = ClearText.ANY;
    private boolean expectsProxyHeader;
    private ProxyGreeting greeting = ProxyGreeting.NONE;
    private int queueSize = 1_024;
    private Duration queueTimeout = Duration.ofSeconds(3);

    TestSettings maxClients(int bound) {
        maxClients = bound;
        return this;
    }

    /** Requests to one backend at once. */
    TestSettings maxConnections(int bound) {
        maxConnections = bound;
        return this;
    }

    int maxConnections() {
        return maxConnections;
    }

    TestSettings retries(double ratio, int burst) {
        retryRatio = ratio;
        retryBurst = burst;
        return this;
    }

    TestSettings headTimeout(Duration timeout) {
        headTimeout = timeout;
        return this;
    }

    TestSettings idleTimeout(Duration timeout) {
        idleTimeout = timeout;
        return this;
    }

    TestSettings minProgressBytes(int bytes) {
        minProgressBytes = bytes;
        return this;
    }

    TestSettings responseTimeout(Duration timeout) {
        responseTimeout = timeout;
        return this;
    }

    TestSettings backendIdleTimeout(Duration timeout) {
        backendIdleTimeout = timeout;
        return this;
    }

    TestSettings tunnelTimeout(Duration timeout) {
        tunnelTimeout = timeout;
        return this;
    }

    TestSettings http2DrainTimeout(Duration timeout) {
        http2DrainTimeout = timeout;
        return this;
    }

    TestSettings mode(FrontendMode spoken) {
        mode = spoken;
        return this;
    }

    TestSettings clearText(ClearText spoken) {
        clearText = spoken;
        return this;
    }

    TestSettings expectsProxyHeader() {
        expectsProxyHeader = true;
        return this;
    }

    TestSettings greeting(ProxyGreeting said) {
        greeting = said;
        return this;
    }

    TestSettings queue(int size, Duration timeout) {
        queueSize = size;
        queueTimeout = timeout;
        return this;
    }

    ProxySettings build() {
        return new ProxySettings(
                MAX_HEAD_BYTES,
                maxClients,
                MAX_ATTEMPTS,
                retryRatio,
                retryBurst,
                headTimeout,
                idleTimeout,
                minProgressBytes,
                Duration.ofSeconds(1),
                responseTimeout,
                backendIdleTimeout,
                tunnelTimeout,
                http2DrainTimeout,
                Forwarding.PLAIN);
    }

    /** A frontend over a pool, both of the test's name. */
    FrontendSpec frontend() {
        return new FrontendSpec(
                "main", ProxyHarness.LOOPBACK, mode, null, clearText, expectsProxyHeader, greeting, "main", null);
    }

    int queueSize() {
        return queueSize;
    }

    Duration queueTimeout() {
        return queueTimeout;
    }
}
