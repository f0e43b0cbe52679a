// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Role;
import io.albm.core.node.Thresholds;
import io.albm.core.topology.ClearText;
import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.ProxyGreeting;
import io.albm.distributor.backend.BackendSettings;
import io.albm.distributor.backend.ProtectionSettings;
import io.albm.distributor.http.AccessFormat;
import io.albm.distributor.http.Forwarding;
import io.albm.distributor.proxy.ProxySettings;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.RoutingPolicies;
import java.time.Duration;
import java.util.Locale;

/** The distributor's keys, and what they mean to its parts. */
final class DistributorConfig {
    private static final int ADMIN_PORT = 9080;
    private static final Duration NO_TIME = Duration.ZERO;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    static final Key<Integer> PORT = Key.integer("port", 8080, 0, 65_535, "HTTP port; 0 takes any free one.");
    static final Key<String> TOPOLOGY = Key.text(
            "topology",
            "",
            "File of frontends, routes and pools, in the keys of 'albm topology'; takes the place of port, tls-port, mode"
                    + " and what else says what is served where.");
    static final Key<String> CLEAR_TEXT = Key.choice(
            "clear-text-protocol",
            ClearText.ANY.id(),
            ClearText.ids(),
            "What is spoken on the HTTP port: what the client begins with, or one alone (http2: with prior knowledge).");
    static final Key<Boolean> ACCEPT_PROXY = Key.flag(
            "accept-proxy-protocol",
            "A balancer in front begins each connection with the PROXY protocol (v1 or v2), and no one else can connect.");
    static final Key<String> SEND_PROXY = Key.choice(
            "send-proxy-protocol",
            ProxyGreeting.NONE.id(),
            ProxyGreeting.ids(),
            "How backends are told who the client is before the first byte; with mode tcp only.");
    static final Key<Integer> TLS_PORT =
            Key.integer("tls-port", 8443, 0, 65_535, "TLS port, if there are certificates; 0 takes any free one.");
    static final Key<String> CERTIFICATES = Key.text(
            "tls-certificates",
            "",
            "Directory of NAME.crt and NAME.key files (PEM); none: no TLS. Read anew when a file changes.");
    static final Key<String> MODE = Key.choice(
            "mode",
            FrontendMode.HTTP.id(),
            FrontendMode.ids(),
            "What the port speaks: HTTP, or any protocol over TCP, one backend for each connection.");
    static final Key<String> ACCESS_LOG = Key.text(
            "access-log",
            "",
            "File that gets a line for each request; none: no access log. May be moved away to rotate it.");
    static final Key<String> ACCESS_LOG_FORMAT = Key.choice(
            "access-log-format", AccessFormat.COMBINED.id(), AccessFormat.ids(), "How lines of the access log look.");
    static final Key<String> BACKENDS = Key.text(
            "backends",
            "",
            "Further backends, host:port with commas between, maybe with weight=0..256; any HTTP server, not only members"
                    + " of the cluster.");
    static final Key<String> POLICY = Key.choice(
            "policy",
            "albm-threshold",
            RoutingPolicies.names(),
            "How requests are spread, until the cluster's live configuration says otherwise.");
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
    static final Key<Duration> COUNTERS_MAX_AGE = Key.duration(
            "counters-max-age",
            Duration.ofSeconds(30),
            MILLISECOND,
            HOUR,
            "Older counters are not believed: the host is judged by its health checks alone.");
    static final Key<String> CHECK_PATH = Key.text(
            "check-path",
            "/",
            "What a health check asks for; any answer below 500 is a good one. In mode tcp connecting is enough.");
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
            "Share of failed requests that ejects a backend, if it is more than twice that of the others together.");
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
    static final Key<Long> MAX_HEAD =
            Key.size("max-head", 16 << 10, 1 << 10, 1 << 20, "Largest request head; one beyond it gets 414 or 431.");
    static final Key<Integer> MAX_CLIENTS =
            Key.integer("max-connections", 10_000, 1, 1_000_000, "Client connections at once; one more is closed.");
    static final Key<Integer> MAX_BACKEND_CONNECTIONS = Key.integer(
            "max-backend-connections",
            1_024,
            1,
            1_000_000,
            "Requests and tunnels to one backend at once, HAProxy's server maxconn; when every backend has as many, the next"
                    + " request waits in the queue.");
    static final Key<Integer> MAX_ATTEMPTS =
            Key.integer("max-attempts", 4, 1, 100, "How often one request is sent at most, the first time included.");
    static final Key<Double> RETRY_RATIO =
            Key.decimal("retry-ratio", 0.2, 0, 1, "Retries and resumes that each request pays for, in the long run.");
    static final Key<Integer> RETRY_BURST = Key.integer(
            "retry-burst", 1_000, 0, 1_000_000, "Retries and resumes that can be saved up for a dead backend.");
    static final Key<Integer> QUEUE_SIZE = Key.integer(
            "queue-size",
            1_024,
            0,
            1_000_000,
            "Requests that may wait while every backend is at max-backend-connections or, with policy albm, short of memory;"
                    + " one more gets 503.");
    static final Key<Duration> QUEUE_TIMEOUT = Key.duration(
            "queue-timeout",
            Duration.ofSeconds(3),
            MILLISECOND,
            HOUR,
            "How long a request waits for a backend; then 503 with Retry-After.");
    static final Key<Duration> HEAD_TIMEOUT = Key.duration(
            "head-timeout",
            Duration.ofSeconds(10),
            MILLISECOND,
            HOUR,
            "From the first byte of a request head to its last; then 408.");
    static final Key<Duration> IDLE_TIMEOUT = Key.duration(
            "idle-timeout",
            Duration.ofSeconds(60),
            MILLISECOND,
            HOUR,
            "For a client that sends nothing, or takes nothing of its response.");
    static final Key<Long> MIN_PROGRESS = Key.size(
            "min-progress",
            1 << 10,
            0,
            1 << 30,
            "What a client has to send of a request's body within idle-timeout, until it is answered; else 408.");
    static final Key<Duration> CONNECT_TIMEOUT =
            Key.duration("connect-timeout", Duration.ofSeconds(1), MILLISECOND, HOUR, "For a connection to a backend.");
    static final Key<Duration> RESPONSE_TIMEOUT = Key.duration(
            "response-timeout",
            Duration.ofSeconds(30),
            MILLISECOND,
            HOUR,
            "For a backend that has the request and sends nothing; then 504.");
    static final Key<Duration> BACKEND_IDLE_TIMEOUT = Key.duration(
            "backend-idle-timeout",
            Duration.ofSeconds(15),
            MILLISECOND,
            HOUR,
            "How long an unused connection to a backend is kept.");

    static final Key<Duration> TUNNEL_TIMEOUT = Key.duration(
            "tunnel-timeout",
            HOUR,
            MILLISECOND,
            Duration.ofDays(30),
            "For a TCP connection, or one whose protocol was switched (WebSocket), on which nothing moves.");
    static final Key<Duration> HTTP2_DRAIN_TIMEOUT = Key.duration(
            "http2-drain-timeout",
            HOUR,
            MILLISECOND,
            Duration.ofDays(30),
            "How long an HTTP/2 connection may take for the requests it has, once its frontend has gone or moved; on SIGTERM"
                    + " drain-timeout is the bound.");
    static final Key<Boolean> FORWARDED =
            Key.flag("forwarded", "Whether backends get the Forwarded header of RFC 7239 beside X-Forwarded-*.");
    static final Key<Boolean> REQUEST_ID =
            Key.flag("request-id", "Whether each request gets an X-Request-Id, unless it brings a well-formed one.");

    private DistributorConfig() {}

    static ConfigSchema schema() {
        return ConfigSchema.of(
                Role.DISTRIBUTOR,
                ADMIN_PORT,
                PORT,
                TOPOLOGY,
                CLEAR_TEXT,
                ACCEPT_PROXY,
                SEND_PROXY,
                TLS_PORT,
                CERTIFICATES,
                MODE,
                ACCESS_LOG,
                ACCESS_LOG_FORMAT,
                BACKENDS,
                POLICY,
                THRESHOLDS,
                THRESHOLD_SAMPLES,
                THRESHOLD_PERIOD,
                MIN_TIME_OUT,
                MAX_SHARE,
                SLOW_START,
                COUNTERS_MAX_AGE,
                CHECK_PATH,
                CHECK_INTERVAL,
                CHECK_TIMEOUT,
                RISE,
                FALL,
                CONNECT_FAILURES,
                FAILURES_IN_A_ROW,
                FAILURE_RATIO,
                EJECT_MIN_REQUESTS,
                EJECT_WINDOW,
                EJECTION,
                MAX_EJECTION,
                MAX_EJECTED,
                PANIC_SHARE,
                MAX_HEAD,
                MAX_CLIENTS,
                MAX_BACKEND_CONNECTIONS,
                MAX_ATTEMPTS,
                RETRY_RATIO,
                RETRY_BURST,
                QUEUE_SIZE,
                QUEUE_TIMEOUT,
                HEAD_TIMEOUT,
                IDLE_TIMEOUT,
                MIN_PROGRESS,
                CONNECT_TIMEOUT,
                RESPONSE_TIMEOUT,
                BACKEND_IDLE_TIMEOUT,
                TUNNEL_TIMEOUT,
                HTTP2_DRAIN_TIMEOUT,
                FORWARDED,
                REQUEST_ID);
    }

    static ReliefSettings relief(Configuration configuration) {
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

    static BackendSettings backendSettings(Configuration configuration) {
        return new BackendSettings(
                configuration.get(CHECK_PATH),
                configuration.get(CHECK_INTERVAL),
                configuration.get(CHECK_TIMEOUT),
                configuration.get(RISE),
                configuration.get(FALL),
                configuration.get(CONNECT_FAILURES),
                configuration.get(MAX_BACKEND_CONNECTIONS),
                configuration.get(COUNTERS_MAX_AGE),
                protection(configuration));
    }

    private static ProtectionSettings protection(Configuration configuration) {
        return new ProtectionSettings(
                configuration.get(FAILURES_IN_A_ROW),
                configuration.get(FAILURE_RATIO),
                configuration.get(EJECT_MIN_REQUESTS),
                configuration.get(EJECT_WINDOW),
                configuration.get(EJECTION),
                configuration.get(MAX_EJECTION),
                configuration.get(MAX_EJECTED),
                configuration.get(PANIC_SHARE),
                configuration.get(SLOW_START));
    }

    static AccessFormat accessFormat(Configuration configuration) {
        return AccessFormat.valueOf(configuration.get(ACCESS_LOG_FORMAT).toUpperCase(Locale.ROOT));
    }

    static ProxySettings proxySettings(Configuration configuration) {
        return new ProxySettings(
                Math.toIntExact(configuration.get(MAX_HEAD)),
                configuration.get(MAX_CLIENTS),
                configuration.get(MAX_ATTEMPTS),
                configuration.get(RETRY_RATIO),
                configuration.get(RETRY_BURST),
                configuration.get(HEAD_TIMEOUT),
                configuration.get(IDLE_TIMEOUT),
                Math.toIntExact(configuration.get(MIN_PROGRESS)),
                configuration.get(CONNECT_TIMEOUT),
                configuration.get(RESPONSE_TIMEOUT),
                configuration.get(BACKEND_IDLE_TIMEOUT),
                configuration.get(TUNNEL_TIMEOUT),
                configuration.get(HTTP2_DRAIN_TIMEOUT),
                new Forwarding(configuration.get(FORWARDED), configuration.get(REQUEST_ID)));
    }
}
