// SPDX-License-Identifier: Apache-2.0
package io.albm.core.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of one directory, chosen by the server name that a client asks for (SNI, RFC 6066 section 3).
 *
 * <p>An exact name wins over a wildcard; a client that asks for no name, or one that nobody has, gets the first by file
 * name. TLS 1.2 and 1.3, forward-secret authenticated encryption only, which is what HTTP/2 asks for (RFC 9113, 9.2.2);
 * BoringSSL where its library is on the class path,
 * the JDK's otherwise.
 *
 * <p>{@link #reload} replaces all at once or nothing: a directory that is half written or wrong leaves the old ones in
 * force. Connections keep what they began with. Thread-safe; {@link #reload} is for one thread.
 */
public final class ServerCertificates {
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private final Path directory;
    private final List<String> protocols;
    private volatile Loaded loaded;

    /** Everything of one reading. */
    private record Loaded(
            String state, List<CertificateFiles> files, Map<String, SslContext> byName, SslContext first) {}

    private ServerCertificates(Path directory, List<String> protocols, Loaded loaded) {
        this.directory = directory;
        this.protocols = protocols;
        this.loaded = loaded;
    }

    /**
     * Loads a directory.
     *
     * @param protocols what ALPN offers, the preferred first; empty for none
     * @throws IOException if there is no certificate, or one cannot be used; the message names it
     */
    public static ServerCertificates load(Path directory, List<String> protocols) throws IOException {
        List<String> offered = List.copyOf(protocols);
        return new ServerCertificates(directory, offered, read(directory, offered));
    }

    private static Loaded read(Path directory, List<String> protocols) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException("'" + directory + "': expected a directory with NAME.crt and NAME.key, both PEM");
        }
        String state = state(directory);
        List<CertificateFiles> files = CertificateFiles.in(directory);
        var contexts = new ArrayList<SslContext>();
        var byName = new HashMap<String, SslContext>();
        for (CertificateFiles one : files) {
            SslContext context = context(one, protocols);
            contexts.add(context);
            one.names().forEach(name -> byName.putIfAbsent(name, context));
        }
        return new Loaded(state, files, Map.copyOf(byName), contexts.getFirst());
    }

    private static SslContext context(CertificateFiles files, List<String> protocols) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            files.chain().toFile(), files.key().toFile())
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE);
            return protocols.isEmpty()
                    ? builder.build()
                    : builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                                    Protocol.ALPN,
                                    SelectorFailureBehavior.NO_ADVERTISE,
                                    SelectedListenerFailureBehavior.ACCEPT,
                                    protocols))
                            .build();
        } catch (IllegalArgumentException | IOException e) {
            throw new IOException(
                    files.chain() + " and " + files.key() + ": expected a certificate and its PKCS #8 key, both PEM: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Who, how large and how old: changes when a file does. */
    private static String state(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            var state = new StringBuilder();
            for (Path file : files.sorted().toList()) {
                state.append(file.getFileName())
                        .append(' ')
                        .append(Files.size(file))
                        .append(' ')
                        .append(Files.getLastModifiedTime(file).toMillis())
                        .append('\n');
            }
            return state.toString();
        }
    }

    /**
     * The context for a server name.
     *
     * @param name what the client asked for; null if it asked for none
     */
    public SslContext forName(@Nullable String name) {
        Loaded current = loaded;
        if (name == null) {
            return current.first;
        }
        String asked = name.toLowerCase(Locale.ROOT);
        SslContext exact = current.byName.get(asked);
        return exact != null ? exact : current.byName.getOrDefault(wildcard(asked), current.first);
    }

    private static String wildcard(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : "*" + name.substring(dot);
    }

    /**
     * Reads the directory anew if a file in it has changed. Blocks.
     *
     * @return whether there are other certificates now
     * @throws IOException if they cannot be used; the old ones stay
     */
    public boolean reload() throws IOException {
        if (state(directory).equals(loaded.state)) {
            return false;
        }
        loaded = read(directory, protocols);
        return true;
    }

    /** What is in force. */
    public List<CertificateFiles> files() {
        return loaded.files;
    }
}
