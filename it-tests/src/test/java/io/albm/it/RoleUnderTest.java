// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** One process of a role, started as an operator starts it: {@code albm run ROLE}. */
final class RoleUnderTest implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String READY = "READY ";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Process process;
    private final Path out;
    private final Path err;

    private RoleUnderTest(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Keys and values after the role, as {@code --port 0}. */
    static RoleUnderTest start(Path directory, String role, String... settings) throws IOException {
        Path out = Files.createTempFile(directory, role, ".out");
        Path err = Files.createTempFile(directory, role, ".err");
        List<String> arguments = new ArrayList<>(List.of("run", role));
        arguments.addAll(List.of(settings));
        Process process = Albm.in(directory)
                .with("ALBM_JAVA_OPTS", "-Xmx96m -XX:+UseSerialGC -XX:TieredStopAtLevel=1")
                .start(out, err, arguments.toArray(String[]::new));
        return new RoleUnderTest(process, out, err);
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(50));
    }

    RoleUnderTest awaitReady() {
        await().failFast("the process ended; its last words are in " + err, () -> !process.isAlive())
                .until(() -> ready().isPresent());
        return this;
    }

    boolean isReady() {
        return ready().isPresent();
    }

    NodeAddress endpoint(String use) {
        return NodeAddress.parse(
                ready().orElseThrow().path("endpoints").path(use).asText());
    }

    private Optional<JsonNode> ready() {
        return read(out)
                .lines()
                .filter(line -> line.startsWith(READY) && line.endsWith("}"))
                .map(line -> Json.tree(line.substring(READY.length())))
                .findFirst();
    }

    long pid() {
        return process.pid();
    }

    String errors() {
        return read(err);
    }

    int awaitExit() {
        await().until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGTERM. */
    int stop() {
        process.destroy();
        return awaitExit();
    }

    HttpResponse<String> get(String use, String path) {
        return get(endpoint(use), path);
    }

    static HttpResponse<String> get(NodeAddress address, String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .timeout(BOUND)
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("GET " + address + path + ": " + e, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
