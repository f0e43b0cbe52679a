// SPDX-License-Identifier: Apache-2.0
package io.albm.core.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.core.json.Json;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.web.WebResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final NodeId ID = new NodeId("cache-1");

    private final Transport transport = Transport.open(1);
    private final Health health = new Health(InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")));
    private final Metrics metrics = new Metrics(Role.CACHE_SERVER, ID);
    private final AdminServer server = start();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        server.close();
        metrics.close();
        transport.close();
    }

    @Test
    void isLiveBeforeItIsReady() {
        health.block("start", "not serving yet");

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    }

    @Test
    void saysWhyItIsNotReadyAndSinceWhen() {
        health.block("zookeeper", "no connection yet");

        var body = Json.tree(get("/health/ready").body());

        assertThat(body).isEqualTo(Json.tree("""
                {"role": "cache-server", "id": "cache-1", "ready": false, "reasons": [
                  {"component": "zookeeper", "severity": "blocking", "message": "no connection yet",
                   "since": "2026-01-02T03:04:05Z"}]}
                """));
    }

    @Test
    void staysReadyWithAWarningAndRecovers() {
        health.block("zookeeper", "no connection yet");
        health.warn("zookeeper", "connection lost, serving with the last view");
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").body()).contains("\"warning\"").contains("last view");

        health.clear("zookeeper");

        assertThat(Json.tree(get("/health/ready").body()).get("reasons")).isEmpty();
    }

    @Test
    void showsCountersAsPrometheusText() {
        metrics.counter("requests_total", "Requests answered.", "outcome", "hit")
                .add(3);

        var response = get("/metrics");

        assertThat(response.headers().firstValue("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(response.body())
                .contains("# HELP albm_requests_total Requests answered.")
                .contains("albm_requests_total{outcome=\"hit\"} 3.0")
                .contains("process_cpu_usage");
    }

    @Test
    void showsTheSameCountersOverJmx() {
        metrics.counter("requests_total", "Requests answered.", "outcome", "hit")
                .add(3);

        var answer =
                Json.tree(get("/jmx/read/io.albm:type=CacheServer,id=cache-1").body());

        assertThat(answer.at("/status").asInt()).isEqualTo(200);
        assertThat(answer.get("value")
                        .get("albm_requests_total{outcome=\"hit\"}")
                        .asDouble())
                .isEqualTo(3);
    }

    @Test
    void readsTheJvmsOwnBeans() {
        var answer = Json.tree(get("/jmx/read/java.lang:type=Runtime/Pid").body());

        assertThat(answer.get("value").asLong())
                .isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void answersSeveralJmxReadsInOnePost() {
        var answer = Json.tree(post("/jmx", """
                [{"type": "read", "mbean": "java.lang:type=Runtime", "attribute": "VmName"},
                 {"type": "search", "mbean": "io.albm:*"}]
                """).body());

        assertThat(answer).hasSize(2);
        assertThat(answer.at("/0/value").asText()).isNotEmpty();
        assertThat(answer.at("/1/value/0").asText()).isEqualTo("io.albm:type=CacheServer,id=cache-1");
    }

    @Test
    void refusesToWriteToExecuteAndToLeaveTheAllowList() {
        assertThat(jmxStatus("/jmx/exec/java.lang:type=Memory/gc")).isEqualTo(403);
        assertThat(jmxStatus("/jmx/write/java.lang:type=Memory/Verbose/true")).isEqualTo(403);
        assertThat(jmxStatus("/jmx/read/java.util.logging:type=Logging/LoggerNames"))
                .isNotEqualTo(200);
        assertThat(Json.tree(get("/jmx/list").body()).get("value").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("java.lang", "io.albm");
        assertThat(get("/jmx/search/*:*").body()).doesNotContain("logging").contains("io.albm");
    }

    @Test
    void refusesJmxToPagesOfOtherOrigins() throws Exception {
        var request = HttpRequest.newBuilder(uri("/jmx/version"))
                .header("Origin", "http://elsewhere")
                .build();

        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    }

    @Test
    void answersAnUnknownPathAndAnUnknownMethodInOneLine() throws Exception {
        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
        assertThat(get("/nowhere").body()).isEqualTo("nothing is served at /nowhere\n");
        var delete = HttpRequest.newBuilder(uri("/metrics")).DELETE().build();
        assertThat(client.send(delete, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @Test
    void refusesABodyBeyondItsBound() {
        assertThat(post("/jmx", "x".repeat(65 * 1024)).statusCode()).isEqualTo(413);
    }

    @Test
    void refusesAHeadBeyondItsBound() throws IOException {
        assertThat(talk("GET / HTTP/1.1\r\nhost: a\r\nx: " + "y".repeat(17_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(talk("GET /" + "y".repeat(5_000) + " HTTP/1.1\r\nhost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void answersPipelinedRequestsInTheirOrder() throws IOException {
        server.route("/slow", _ -> WebResponse.text(200, "slow"));

        var answers = talk("""
                GET /slow HTTP/1.1
                host: a

                HEAD /health/live HTTP/1.1
                host: a

                GET /health/live HTTP/1.1
                host: a
                connection: close

                """.replace("\n", "\r\n"));

        assertThat(answers)
                .matches("(?s)HTTP/1.1 200 .*\r\n\r\nslowHTTP/1.1 200 .*\r\n\r\nHTTP/1.1 200 .*\r\n\r\nlive\n");
    }

    @Test
    void answersHealthWhileAllHandlersAreBlocked() {
        var release = new CountDownLatch(1);
        server.route("/stuck", _ -> {
            release.await();
            return WebResponse.text(200, "done");
        });
        var stuck = client.sendAsync(HttpRequest.newBuilder(uri("/stuck")).build(), BodyHandlers.ofString());
        await().until(() -> transport.blocking().active() > 0);

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(stuck).isNotDone();

        release.countDown();
        assertThat(stuck.join().body()).isEqualTo("done");
    }

    @Test
    void keepsAFailureOfAHandlerOutOfTheAnswer() {
        server.route("/broken", _ -> {
            throw new IllegalStateException("secret detail");
        });

        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/broken").body()).doesNotContain("secret");
    }

    @Test
    void namesThePortThatIsTakenAndItsOwner() {
        assertThatThrownBy(() -> new AdminServer(transport, server.address(), Role.CACHE_SERVER, ID, health, metrics))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "%s: the port is in use by pid %d",
                        server.address(), ProcessHandle.current().pid());
    }

    private AdminServer start() {
        try {
            return new AdminServer(transport, ANY_PORT, Role.CACHE_SERVER, ID, health, metrics);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int jmxStatus(String path) {
        return Json.tree(get(path).body()).get("status").asInt();
    }

    private HttpResponse<String> get(String path) {
        return client.sendAsync(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString())
                .join();
    }

    private HttpResponse<String> post(String path, String body) {
        var request = HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString()).join();
    }

    private URI uri(String path) {
        return URI.create("http://" + server.address() + path);
    }

    private String talk(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
