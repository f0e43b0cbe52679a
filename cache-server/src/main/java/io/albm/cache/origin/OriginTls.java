// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.node.NodeAddress;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.2 and 1.3 to an origin, whose certificate has to be signed by somebody who is trusted and be for the name that was
 * configured (RFC 9110, section 4.3.4), which is also the name that it is asked for (SNI). BoringSSL where its library is
 * on the class path, the JDK's otherwise.
 */
public final class OriginTls {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private OriginTls() {}

    /** Believes whom the Java platform believes. */
    public static SslContext verified() throws IOException {
        return trusting(List.of());
    }

    /**
     * Believes those of a file as well.
     *
     * @param file PEM certificates of authorities, or of the origin itself
     * @throws IOException if it holds none, or cannot be read
     */
    public static SslContext verified(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new IOException("it holds no certificate");
            }
            return trusting(certificates);
        } catch (CertificateException e) {
            throw new IOException("it is no PEM file of certificates", e);
        }
    }

    /** Believes anybody: whoever is on the way can read and change everything. */
    public static SslContext unverified() throws IOException {
        return SslContextBuilder.forClient()
                .protocols(PROTOCOLS)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null)
                .build();
    }

    /** A client's end that asks for the host by name, be it of one label, which TLS libraries leave out by themselves. */
    static SslHandler handler(SslContext tls, NodeAddress address) {
        SSLEngine engine = tls.newEngine(PooledByteBufAllocator.DEFAULT, address.host(), address.port());
        List<SNIServerName> names = serverNames(address);
        if (!names.isEmpty()) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(names);
            engine.setSSLParameters(parameters);
        }
        return new SslHandler(engine);
    }

    /**
     * What a host is asked for by (RFC 6066, section 3); nothing for an IP address.
     *
     * @throws IllegalArgumentException if it is a name that TLS cannot ask for
     */
    static List<SNIServerName> serverNames(NodeAddress address) {
        String host = address.host();
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            return List.of();
        }
        try {
            return List.of(new SNIHostName(host));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "host '" + host + "': expected a name that TLS can ask for, without a dot at its end", e);
        }
    }

    private static SslContext trusting(Collection<? extends Certificate> more) throws IOException {
        try {
            return SslContextBuilder.forClient()
                    .protocols(PROTOCOLS)
                    .trustManager(managers(more))
                    .endpointIdentificationAlgorithm("HTTPS")
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IOException("the Java platform's trusted certificates cannot be used", e);
        }
    }

    private static TrustManagerFactory managers(Collection<? extends Certificate> more)
            throws GeneralSecurityException, IOException {
        TrustManagerFactory managers = trusting((KeyStore) null);
        if (more.isEmpty()) {
            return managers;
        }
        List<Certificate> all = new ArrayList<>(more);
        for (var manager : managers.getTrustManagers()) {
            if (manager instanceof X509TrustManager platform) {
                all.addAll(List.of(platform.getAcceptedIssuers()));
            }
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate certificate : all) {
            store.setCertificateEntry("trusted-" + store.size(), certificate);
        }
        return trusting(store);
    }

    /** @param store null for the platform's own */
    private static TrustManagerFactory trusting(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        return managers;
    }

    /** Why a connection could not be made, in words that say what to do about a certificate. */
    static String reason(Throwable failure) {
        List<Throwable> causes = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(20)
                .toList();
        return causes.stream()
                .flatMap(cause -> Stream.ofNullable(known(cause)))
                .findFirst()
                .orElseGet(() -> String.valueOf(causes.getLast().getMessage()));
    }

    private static @Nullable String known(Throwable cause) {
        return switch (cause) {
            case CertificateExpiredException expired -> "its certificate has expired (" + expired.getMessage() + ")";
            case CertificateNotYetValidException early ->
                "its certificate is not valid yet (" + early.getMessage() + ")";
            case CertPathBuilderException nobody ->
                "its certificate is signed by nobody who is trusted here; name the signer's certificate with origin-trust";
            case CertificateException other
            when isName(other) -> "its certificate is for another name (" + other.getMessage() + ")";
            case NotSslRecordException clear -> "it does not speak TLS";
            case SslHandshakeTimeoutException late -> "it did not finish the TLS handshake in time";
            default -> null;
        };
    }

    private static boolean isName(CertificateException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure.getCause() == null
                && (message.startsWith("No subject alternative") || message.startsWith("No name matching"));
    }
}
