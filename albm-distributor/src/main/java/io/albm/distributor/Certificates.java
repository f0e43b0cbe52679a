// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.net.BlockingExecutor;
import io.albm.core.role.RoleContext;
import io.albm.core.tls.CertificateFiles;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.FrontendSpec;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of certificates that frontends use. They are followed, so that a renewed certificate is in force within
 * seconds and without a restart. One that cannot be used is refused with the reason, once for each state of the
 * directory, and the old ones stay. Thread-safe.
 */
final class Certificates {
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);
    private static final List<String> HTTP_PROTOCOLS = List.of("h2", "http/1.1");

    private final Map<Use, ServerCertificates> inUse = new ConcurrentHashMap<>();
    private final Map<Use, String> lastFaults = new HashMap<>();
    private final BlockingExecutor blocking;
    private final LongAdder refused;
    private final AtomicBoolean underWay = new AtomicBoolean();

    /**
     * What certificates are used for.
     *
     * @param directory where they are
     * @param mode what is spoken under them, which is what ALPN offers; nothing in mode {@code tcp}
     */
    record Use(String directory, FrontendMode mode) {
        /** How a frontend uses them; nothing if it does not listen, or not for TLS. */
        static Optional<Use> of(FrontendSpec frontend) {
            String directory = frontend.certificates();
            return directory == null || frontend.bind() == null
                    ? Optional.empty()
                    : Optional.of(new Use(directory, frontend.mode()));
        }

        private List<String> protocols() {
            return switch (mode) {
                case HTTP -> HTTP_PROTOCOLS;
                case TCP -> List.of();
            };
        }
    }

    Certificates(RoleContext context) {
        this.blocking = context.transport().blocking();
        this.refused = context.metrics()
                .counter("tls_certificates_refused_total", "Changed certificates that could not be used");
        context.metrics()
                .gauge(
                        "tls_certificate_expires_seconds",
                        "Seconds until the first of the certificates in force expires",
                        this::secondsLeft);
    }

    /**
     * Certificates for that use, read now if they are not in use yet. Blocks.
     *
     * @throws IOException if they cannot be used; the message names the file
     */
    ServerCertificates of(Use use) throws IOException {
        ServerCertificates known = inUse.get(use);
        if (known == null) {
            known = load(use);
            inUse.put(use, known);
        }
        return known;
    }

    private static ServerCertificates load(Use use) throws IOException {
        try {
            return ServerCertificates.load(Path.of(use.directory), use.protocols());
        } catch (InvalidPathException e) {
            throw new IOException("'" + use.directory + "': expected a directory", e);
        }
    }

    /** Follows what is used so from now on, and nothing else. */
    void retain(Set<Use> uses) {
        inUse.keySet().retainAll(uses);
    }

    private double secondsLeft() {
        return inUse.values().stream()
                .flatMap(certificates -> certificates.files().stream())
                .map(CertificateFiles::expires)
                .mapToDouble(end -> Duration.between(Instant.now(), end).toSeconds())
                .min()
                .orElse(0);
    }

    /** Looks for changes, off the event loop; one look at a time. */
    void look() {
        if (!inUse.isEmpty() && underWay.compareAndSet(false, true)) {
            blocking.execute(() -> {
                try {
                    inUse.forEach(this::reload);
                } finally {
                    underWay.set(false);
                }
            });
        }
    }

    private void reload(Use use, ServerCertificates certificates) {
        try {
            if (certificates.reload()) {
                lastFaults.remove(use);
                LOG.info(
                        "certificates renewed: {}",
                        certificates.files().stream()
                                .map(files -> files.names() + " until " + files.expires())
                                .toList());
            }
        } catch (IOException e) {
            String fault = String.valueOf(e.getMessage());
            if (!fault.equals(lastFaults.put(use, fault))) {
                refused.increment();
                LOG.error("changed certificates refused, the old ones stay: {}", fault);
            }
        }
    }
}
