// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One real process of a role, with what it wrote. */
final class RoleRun implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path out;
    private final Path err;

    /** Runs {@link SampleRole}. */
    RoleRun(Path dir, String name, String... options) throws IOException {
        this(dir, name, List.of(), SampleRole.class, options);
    }

    /** @param starter a program with its arguments, which becomes the process */
    RoleRun(Path dir, String name, List<String> starter, Class<?> main, String... options) throws IOException {
        out = dir.resolve(name + ".out");
        err = dir.resolve(name + ".err");
        var command = new ArrayList<>(starter);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(),
                "run",
                "--data",
                dir.resolve(name).toString()));
        command.addAll(Arrays.asList(options));
        process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    JsonNode awaitReady() {
        awaitLine("READY ");
        return Json.tree(line("READY ").substring("READY ".length()));
    }

    void awaitLine(String start) {
        await(start).atMost(PATIENCE).until(() -> !line(start).isEmpty() || !process.isAlive());
    }

    boolean wroteReady() {
        return !line("READY ").isEmpty();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    void signalTerm() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still runs: " + err());
        }
        return process.exitValue();
    }

    static HttpResponse<String> get(String address, String path) {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .build();
            return client.sendAsync(request, BodyHandlers.ofString()).join();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private String line(String start) {
        return out().lines().filter(line -> line.startsWith(start)).findFirst().orElse("");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
