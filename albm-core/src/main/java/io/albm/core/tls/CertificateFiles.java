// SPDX-License-Identifier: Apache-2.0
package io.albm.core.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A certificate and its key, as files.
 *
 * @param chain PEM, the server's own certificate first
 * @param key PEM, PKCS #8, without a password
 * @param names host names in lower case that the certificate is for; {@code *.example.org} stands for one label
 * @param expires after this no client believes it
 */
public record CertificateFiles(Path chain, Path key, List<String> names, Instant expires) {
    private static final String CHAIN = ".crt";
    private static final String KEY = ".key";
    private static final int DNS_NAME = 2;

    public CertificateFiles {
        names = List.copyOf(names);
    }

    /**
     * Every {@code NAME.crt} of a directory with its {@code NAME.key}, by file name.
     *
     * @throws IOException if there is none, or one cannot be used; the message names it
     */
    public static List<CertificateFiles> in(Path directory) throws IOException {
        List<CertificateFiles> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path chain : files.filter(file -> file.toString().endsWith(CHAIN))
                    .sorted()
                    .toList()) {
                found.add(read(chain));
            }
        }
        if (found.isEmpty()) {
            throw new IOException(directory + ": expected certificates, NAME.crt and NAME.key");
        }
        return found;
    }

    private static CertificateFiles read(Path chain) throws IOException {
        String name = chain.toString();
        Path key = Path.of(name.substring(0, name.length() - CHAIN.length()) + KEY);
        if (!Files.isReadable(key)) {
            throw new IOException(chain + ": expected its key in " + key + ", readable");
        }
        try (InputStream in = Files.newInputStream(chain)) {
            Collection<? extends java.security.cert.Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            Optional<X509Certificate> own = certificates.stream()
                    .filter(X509Certificate.class::isInstance)
                    .map(X509Certificate.class::cast)
                    .findFirst();
            X509Certificate leaf = own.orElseThrow(() -> new IOException(chain + ": expected a PEM certificate"));
            return new CertificateFiles(
                    chain, key, names(leaf), leaf.getNotAfter().toInstant());
        } catch (CertificateException e) {
            throw new IOException(chain + ": expected a chain of PEM certificates, the server's own first", e);
        }
    }

    private static List<String> names(X509Certificate certificate) throws CertificateException {
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        return alternatives == null
                ? List.of()
                : alternatives.stream()
                        .filter(name -> name.getFirst() instanceof Integer kind && kind == DNS_NAME)
                        .map(name -> String.valueOf(name.getLast()).toLowerCase(Locale.ROOT))
                        .toList();
    }
}
