// SPDX-License-Identifier: Apache-2.0
package io.albm.console.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, driven over its DevTools protocol. */
final class Chromium implements AutoCloseable, WebSocket.Listener {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final StringBuilder message = new StringBuilder();
    private final Path port;

    /** Opens the page. */
    Chromium(Path dir, String url) throws IOException {
        port = dir.resolve("profile/DevToolsActivePort");
        process = new ProcessBuilder(
                        executable().orElseThrow(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--window-size=1280,1000",
                        "--user-data-dir=" + dir.resolve("profile"),
                        url)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("chromium.log").toFile())
                .start();
        await().atMost(PATIENCE).until(() -> pageSocket() != null);
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(String.valueOf(pageSocket())), this)
                .join();
    }

    /** Where Chromium is installed, if it is. */
    static Optional<String> executable() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(dir -> NAMES.stream().map(name -> Path.of(dir, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** The value of a JavaScript expression in the page. */
    String evaluate(String expression) {
        var parameters = Json.object().put("expression", expression).put("returnByValue", true);
        return call("Runtime.evaluate", parameters).at("/result/value").asText();
    }

    /** What a person would read on the page. */
    String text() {
        return evaluate("document.body.innerText");
    }

    /** Shows the page as on a dark or light desktop. */
    void prefer(String scheme) {
        var feature = Json.object().put("name", "prefers-color-scheme").put("value", scheme);
        var parameters = Json.object();
        parameters.putArray("features").add(feature);
        call("Emulation.setEmulatedMedia", parameters);
    }

    void screenshot(Path file) throws IOException {
        var answer = call("Page.captureScreenshot", Json.object().put("format", "png"));
        Files.write(file, Base64.getDecoder().decode(answer.get("data").asText()));
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        message.append(data);
        if (last) {
            var answer = Json.tree(message.toString());
            message.setLength(0);
            var waiting = answers.remove(answer.path("id").asInt());
            if (waiting != null) {
                waiting.complete(answer.path("result"));
            }
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
        var children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private JsonNode call(String method, JsonNode parameters) {
        int id = ids.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        var request = Json.object().put("id", id).put("method", method);
        request.set("params", parameters);
        socket.sendText(Json.text(request), true);
        return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    private @Nullable String pageSocket() {
        try {
            var debugging = Files.readString(port, UTF_8).lines().findFirst().orElse("");
            var list = URI.create("http://127.0.0.1:" + debugging + "/json/list");
            try (var in = list.toURL().openStream()) {
                var pages = Json.tree(new String(in.readAllBytes(), UTF_8));
                return pages.isEmpty()
                        ? null
                        : pages.at("/0/webSocketDebuggerUrl").asText();
            }
        } catch (IOException e) {
            return null;
        }
    }
}
