// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * The certificate that all proxies show: P-256, signed by itself. Making it needs nothing but the JDK.
 *
 * @param certificate as PEM
 * @param key as PEM
 */
record SelfSigned(String certificate, String key) {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "proxy";

    /** Makes one. */
    static SelfSigned make(Path directory) throws IOException {
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
        return read(store);
    }

    /** Both in one file, as haproxy and nginx take them. */
    Path writePem(Path file) throws IOException {
        return Files.writeString(file, certificate + key);
    }

    /** Each in its own, as the distributor takes them: a directory of NAME.crt and NAME.key. */
    Path writeDirectory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("server.crt"), certificate);
        Files.writeString(directory.resolve("server.key"), key);
        return directory;
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new CliException(ExitCode.FAILED, "keytool made no certificate: " + output.strip());
        }
    }

    private static SelfSigned read(Path file) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            return new SelfSigned(
                    section("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()),
                    section(
                            "PRIVATE KEY",
                            store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException("a key store just made cannot be read", e);
        }
    }

    private static String section(String name, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(name, text);
    }
}
