// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.http.RawClient.Response;
import io.albm.cache.store.DocumentStore;
import io.albm.core.net.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The server over real sockets, started anew for each test, and the tree that it serves, made once for all of a class. */
abstract class ServedTree {
    static final byte[] LARGE = new byte[5 << 20];

    static {
        new Random(3).nextBytes(LARGE);
    }

    @TempDir
    static Path temp;

    static Path root;
    static Transport transport;
    private DocumentServer documents;
    DocumentStore store;
    HttpServer server;

    /** One for all tests: whoever changes a file makes one of its own. */
    @BeforeAll
    static void makeATree() throws IOException {
        root = Files.createDirectory(temp.resolve("root"));
        Files.writeString(root.resolve("index.html"), "<p>home");
        Files.writeString(root.resolve("a.txt"), "0123456789");
        Files.writeString(root.resolve("empty.css"), "");
        Files.createDirectory(root.resolve("dir"));
        Files.writeString(root.resolve("dir/index.html"), "<p>dir");
        Files.writeString(temp.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(root.resolve("escape"), temp);
        Files.write(root.resolve("large.bin"), LARGE);
        transport = Transport.open(2);
    }

    @BeforeEach
    void serveIt() throws IOException {
        start(HttpSettings.DEFAULTS, Duration.ZERO, false);
    }

    private void start(HttpSettings settings, Duration checkInterval, boolean sendFiles) throws IOException {
        documents = new DocumentServer(root, transport, settings, checkInterval, sendFiles);
        store = documents.store;
        server = documents.http;
    }

    void restart(HttpSettings settings, boolean sendFiles) throws IOException {
        documents.close();
        start(settings, Duration.ofSeconds(1), sendFiles);
    }

    @AfterEach
    void freesEveryByte() {
        documents.close();
    }

    @AfterAll
    static void close() {
        transport.close();
    }

    RawClient connect() throws IOException {
        return documents.connect();
    }

    Response get(String target, String... headers) throws IOException {
        try (RawClient client = connect()) {
            return client.get(target, headers);
        }
    }
}
