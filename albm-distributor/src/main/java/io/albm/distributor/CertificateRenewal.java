// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ConfigException;
import io.albm.core.net.BlockingExecutor;
import io.albm.core.role.RoleContext;
import io.albm.core.tls.CertificateFiles;
import io.albm.core.tls.ServerCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a directory of certificates, so that a renewed one is in force within seconds and without a restart. One that
 * cannot be used is refused with the reason, once for each state of the directory, and the old ones stay.
 */
final class CertificateRenewal {
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);

    private final ServerCertificates certificates;
    private final BlockingExecutor blocking;
    private final LongAdder refused;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private String lastFault = "";

    private CertificateRenewal(ServerCertificates certificates, RoleContext context) {
        this.certificates = certificates;
        this.blocking = context.transport().blocking();
        this.refused = context.metrics()
                .counter("tls_certificates_refused_total", "Changed certificates that could not be used");
        context.metrics()
                .gauge(
                        "tls_certificate_expires_seconds",
                        "Seconds until the first of the certificates in force expires",
                        this::secondsLeft);
    }

    /** @throws ConfigException if the certificates cannot be used */
    static CertificateRenewal of(Path directory, RoleContext context) {
        try {
            return new CertificateRenewal(ServerCertificates.load(directory, List.of("h2", "http/1.1")), context);
        } catch (IOException e) {
            throw new ConfigException("tls-certificates: " + e.getMessage(), e);
        }
    }

    ServerCertificates certificates() {
        return certificates;
    }

    private double secondsLeft() {
        return certificates.files().stream()
                .map(CertificateFiles::expires)
                .mapToDouble(end -> Duration.between(Instant.now(), end).toSeconds())
                .min()
                .orElse(0);
    }

    /** Looks for changes, off the event loop; one look at a time. */
    void look() {
        if (underWay.compareAndSet(false, true)) {
            blocking.execute(() -> {
                try {
                    reload();
                } finally {
                    underWay.set(false);
                }
            });
        }
    }

    private void reload() {
        try {
            if (certificates.reload()) {
                lastFault = "";
                LOG.info(
                        "certificates renewed: {}",
                        certificates.files().stream()
                                .map(files -> files.names() + " until " + files.expires())
                                .toList());
            }
        } catch (IOException e) {
            String fault = String.valueOf(e.getMessage());
            if (!fault.equals(lastFault)) {
                lastFault = fault;
                refused.increment();
                LOG.error("changed certificates refused, the old ones stay: {}", fault);
            }
        }
    }
}
