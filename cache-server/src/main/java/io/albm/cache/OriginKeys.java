// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.origin.Origin;
import io.albm.cache.origin.OriginSettings;
import io.albm.cache.origin.OriginTls;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.node.NodeAddress;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cache server's keys for an HTTP origin. */
final class OriginKeys {

    private static final Logger log = LoggerFactory.getLogger(OriginKeys.class);
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    static final Key<String> ORIGIN = Key.text(
            "origin",
            "",
            "HTTP origin to cache, http://HOST:PORT or https://HOST:PORT, with a path if it is below one, instead of"
                    + " 'docs'; a shared cache by RFC 9111.");
    static final Key<Path> TRUST = Key.path(
            "origin-trust",
            "",
            "PEM file of certificates to believe beside the platform's, for an origin of https://.");
    static final Key<Boolean> UNVERIFIED = Key.flag(
            "origin-unverified",
            "Believe any certificate of the origin, whoever shows it: for experiments, since it protects from nobody on the way.");
    static final Key<Integer> CONNECTIONS =
            Key.integer("origin-connections", 64, 1, 65_535, "Connections to the origin, of each event loop.");
    static final Key<Integer> QUEUE = Key.integer(
            "origin-queue",
            1024,
            0,
            1 << 20,
            "Requests of each event loop that may wait for a connection to the origin; one more gets 503.");
    static final Key<Duration> CONNECT_TIMEOUT =
            timeout("origin-connect-timeout", Duration.ofSeconds(2), "Until the origin has taken a connection.");
    static final Key<Duration> RESPONSE_TIMEOUT = timeout(
            "origin-response-timeout",
            Duration.ofSeconds(30),
            "Until the origin answers, between the bytes of an answer, and for a free connection; then 504.");
    static final Key<Duration> IDLE_TIMEOUT = timeout(
            "origin-idle-timeout",
            Duration.ofSeconds(4),
            "How long an unused connection to the origin is kept; less than the origin keeps it.");
    static final Key<Duration> STALE_IF_ERROR = Key.duration(
            "origin-stale-if-error",
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofDays(30),
            "How long a stale response stands in for an origin that fails and did not forbid or permit it itself.");

    private OriginKeys() {}

    private static Key<Duration> timeout(String name, Duration defaultValue, String doc) {
        return Key.duration(name, defaultValue, Duration.ofMillis(10), Duration.ofHours(1), doc);
    }

    /** Whether the source is an origin. */
    static boolean isSet(Configuration configuration) {
        return !configuration.get(ORIGIN).isEmpty();
    }

    static OriginSettings settings(Configuration configuration) {
        if (configuration.isChosen(CacheServerConfig.DOCS)) {
            throw new ConfigException("docs = '%s' (%s) and origin = '%s' (%s): expected one of them"
                    .formatted(
                            configuration.get(CacheServerConfig.DOCS),
                            configuration.origin(CacheServerConfig.DOCS),
                            configuration.get(ORIGIN),
                            configuration.origin(ORIGIN)));
        }
        return new OriginSettings(
                origin(configuration),
                configuration.get(CONNECTIONS),
                configuration.get(QUEUE),
                configuration.get(CONNECT_TIMEOUT),
                configuration.get(RESPONSE_TIMEOUT),
                configuration.get(IDLE_TIMEOUT),
                configuration.get(STALE_IF_ERROR));
    }

    private static Origin origin(Configuration configuration) {
        String text = configuration.get(ORIGIN);
        try {
            URI uri = new URI(text);
            boolean secure = "https".equalsIgnoreCase(uri.getScheme());
            boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            if (!(secure || "http".equalsIgnoreCase(uri.getScheme())) || uri.getHost() == null || !bare) {
                throw refused(configuration, "");
            }
            int port = uri.getPort() >= 0 ? uri.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
            return new Origin(
                    new NodeAddress(uri.getHost().replaceAll("[\\[\\]]", ""), port),
                    Objects.requireNonNullElse(uri.getRawPath(), "").replaceFirst("/+$", ""),
                    secure ? tls(configuration) : clear(configuration));
        } catch (URISyntaxException e) {
            throw refused(configuration, "");
        } catch (IllegalArgumentException e) {
            throw refused(configuration, ": " + e.getMessage());
        }
    }

    private static @Nullable SslContext clear(Configuration configuration) {
        for (Key<?> key : List.of(TRUST, UNVERIFIED)) {
            if (configuration.isChosen(key)) {
                throw new ConfigException("%s (%s) and origin = '%s' (%s): expected an origin of https://"
                        .formatted(
                                key,
                                configuration.origin(key),
                                configuration.get(ORIGIN),
                                configuration.origin(ORIGIN)));
            }
        }
        return null;
    }

    private static SslContext tls(Configuration configuration) {
        try {
            if (configuration.get(UNVERIFIED)) {
                log.warn(
                        "{} ({}): any certificate of the origin is believed; whoever is on the way to it can read and change everything",
                        UNVERIFIED,
                        configuration.origin(UNVERIFIED));
                return OriginTls.unverified();
            }
            return configuration.isChosen(TRUST) ? OriginTls.verified(configuration.get(TRUST)) : OriginTls.verified();
        } catch (IOException e) {
            throw new ConfigException(
                    "%s = '%s' (%s): expected a file of PEM certificates: %s"
                            .formatted(TRUST, configuration.get(TRUST), configuration.origin(TRUST), e.getMessage()),
                    e);
        }
    }

    private static ConfigException refused(Configuration configuration, String why) {
        return new ConfigException(
                "origin = '%s' (%s): expected http://HOST:PORT or https://HOST:PORT, with or without a path%s"
                        .formatted(configuration.get(ORIGIN), configuration.origin(ORIGIN), why));
    }
}
