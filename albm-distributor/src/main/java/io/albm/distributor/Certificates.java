// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.net.BlockingExecutor;
import io.albm.core.role.RoleContext;
import io.albm.core.tls.CertificateFiles;
import io.albm.core.tls.ServerCertificates;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private static final List<String> PROTOCOLS = List.of("h2", "http/1.1");

    private final Map<String, ServerCertificates> byDirectory = new ConcurrentHashMap<>();
    private final Map<String, String> lastFaults = new HashMap<>();
    private final BlockingExecutor blocking;
    private final LongAdder refused;
    private final AtomicBoolean underWay = new AtomicBoolean();

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
     * The certificates of a directory, read now if they are not in use yet. Blocks.
     *
     * @throws IOException if they cannot be used; the message names the file
     */
    ServerCertificates of(String directory) throws IOException {
        ServerCertificates known = byDirectory.get(directory);
        if (known == null) {
            known = load(directory);
            byDirectory.put(directory, known);
        }
        return known;
    }

    private static ServerCertificates load(String directory) throws IOException {
        try {
            return ServerCertificates.load(Path.of(directory), PROTOCOLS);
        } catch (InvalidPathException e) {
            throw new IOException("'" + directory + "': expected a directory", e);
        }
    }

    /** Follows these directories from now on, and no others. */
    void retain(Set<String> directories) {
        byDirectory.keySet().retainAll(directories);
    }

    private double secondsLeft() {
        return byDirectory.values().stream()
                .flatMap(certificates -> certificates.files().stream())
                .map(CertificateFiles::expires)
                .mapToDouble(end -> Duration.between(Instant.now(), end).toSeconds())
                .min()
                .orElse(0);
    }

    /** Looks for changes, off the event loop; one look at a time. */
    void look() {
        if (!byDirectory.isEmpty() && underWay.compareAndSet(false, true)) {
            blocking.execute(() -> {
                try {
                    byDirectory.forEach(this::reload);
                } finally {
                    underWay.set(false);
                }
            });
        }
    }

    private void reload(String directory, ServerCertificates certificates) {
        try {
            if (certificates.reload()) {
                lastFaults.remove(directory);
                LOG.info(
                        "certificates renewed: {}",
                        certificates.files().stream()
                                .map(files -> files.names() + " until " + files.expires())
                                .toList());
            }
        } catch (IOException e) {
            String fault = String.valueOf(e.getMessage());
            if (!fault.equals(lastFaults.put(directory, fault))) {
                refused.increment();
                LOG.error("changed certificates refused, the old ones stay: {}", fault);
            }
        }
    }
}
