// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

/** Makes the certificate that all proxies show: P-256, signed by itself, as PEM. Needs nothing but the JDK. */
final class SelfSigned {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "proxy";

    private SelfSigned() {}

    /** Writes certificate and key into one file. */
    static Path write(Path directory) throws IOException {
        Path store = directory.resolve("server.p12");
        run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        return Files.writeString(directory.resolve("server.pem"), pem(store));
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new CliException(ExitCode.FAILED, "keytool made no certificate: " + output.strip());
        }
    }

    private static String pem(Path file) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            Certificate certificate = store.getCertificate(ALIAS);
            Key key = store.getKey(ALIAS, PASSWORD.toCharArray());
            return section("CERTIFICATE", certificate.getEncoded()) + section("PRIVATE KEY", key.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("a key store just made cannot be read", e);
        }
    }

    private static String section(String name, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(name, text);
    }
}
