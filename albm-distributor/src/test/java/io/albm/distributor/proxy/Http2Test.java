// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeAddress;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.tls.TestCertificates;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 and TLS, against a client that is not ours. */
@Timeout(30)
class Http2Test {
    private final Path certificates;
    private final ServerCertificates loaded;

    Http2Test(@TempDir Path directory) throws Exception {
        this.certificates = directory;
        TestCertificates.write(directory, "a", "localhost");
        this.loaded = ServerCertificates.load(directory, List.of("h2", "http/1.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_2", "HTTP_1_1"})
    void servesWhatTheClientAgreesOn(HttpClient.Version version) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                HttpClient client = client(version)) {
            HttpResponse<String> response = client.send(get(listen(harness), "/a?b"), BodyHandlers.ofString());

            assertThat(response.version()).isEqualTo(version);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(backend.heads())
                    .singleElement()
                    .asString()
                    .startsWith("GET /a?b HTTP/1.1\r\n")
                    .contains("X-Forwarded-Proto: https\r\n");
        }
    }

    @Test
    void bodiesOfAnyLengthGoBothWays() throws Exception {
        byte[] sent = new byte[5_000_000];
        new Random(1).nextBytes(sent);
        try (var backend = new RawBackend(Http2Test::echoChunks);
                var harness = new ProxyHarness(backend);
                HttpClient client = client(HttpClient.Version.HTTP_2)) {
            var publisher = HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofByteArray(sent));
            HttpRequest post = HttpRequest.newBuilder(uri(listen(harness), "/echo"))
                    .POST(publisher)
                    .build();

            assertThat(client.send(post, BodyHandlers.ofByteArray()).body()).isEqualTo(sent);
        }
    }

    @Test
    void manyRequestsShareAConnection() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                HttpClient client = client(HttpClient.Version.HTTP_2)) {
            NodeAddress address = listen(harness);
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(client.sendAsync(get(address, "/" + i), BodyHandlers.ofString()));
            }

            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer.join().body()).isEqualTo("hello"));
        }
    }

    @Test
    void aResponseThatCannotGoOnIsReset() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                    call.reset();
                });
                var harness = new ProxyHarness(backend);
                HttpClient client = client(HttpClient.Version.HTTP_2)) {
            HttpRequest request = get(listen(harness), "/");

            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatTheProxySaysItselfIsSaidInFramesToo() throws Exception {
        try (var harness = new ProxyHarness();
                HttpClient client = client(HttpClient.Version.HTTP_2)) {
            HttpResponse<String> response = client.send(get(listen(harness), "/"), BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("retry-after")).contains("1");
            assertThat(response.body()).contains("no backend");
        }
    }

    @Test
    void theCertificateFollowsTheNameAndARenewedOneIsInForceAtOnce() throws Exception {
        try (var harness = new ProxyHarness()) {
            NodeAddress address = listen(harness);
            assertThat(certificate(address, "b.test")).contains("CN=a");
            TestCertificates.write(certificates, "b", "b.test");
            assertThat(loaded.reload()).isTrue();

            assertThat(certificate(address, "b.test")).contains("CN=b");
            assertThat(certificate(address, "localhost")).contains("CN=a");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1_000})
    void aClientThatKnowsNeedsNoTls(int pieceBytes) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect(), pieceBytes)) {
            client.sendHead(1, true, Http2Peer.get("/"));

            assertThat(client.await(Http2Peer.DATA, 1).text()).isEqualTo("hello");
            assertThat(backend.heads()).singleElement().asString().startsWith("GET / HTTP/1.1\r\nhost: h\r\n");
        }
    }

    @Test
    void anAnswerBeforeTheEndOfTheRequestArrivesWhole() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend)) {
            for (int i = 0; i < 20; i++) {
                try (Http2Peer client = Http2Peer.on(harness.connect())) {
                    client.sendHead(1, false, Http2Peer.get("/"));

                    assertThat(client.await(Http2Peer.DATA, 1).text()).isEqualTo("hello");
                }
            }
        }
    }

    @Test
    void whatIsWrongWithARequestIsToldEvenAfterItsAnswer() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, false, Http2Peer.head("POST", "/"));
            client.await(Http2Peer.Frame::endsStream);

            client.send(Http2Peer.WINDOW_UPDATE, 0, 1, new byte[Integer.BYTES]);

            assertThat(client.await(Http2Peer.RST_STREAM, 1).errorCode()).isEqualTo(Http2Peer.PROTOCOL_ERROR);
        }
    }

    @Test
    void aRequestThatEndsSoonAfterItsAnswerIsNotReset() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, false, Http2Peer.head("POST", "/"));
            client.await(Http2Peer.Frame::endsStream);

            client.sendData(1, true, "unread").send(Http2Peer.PING, 0, 0, new byte[Long.BYTES]);

            assertThat(client.await(frame -> frame.is(Http2Peer.PING, 0) || frame.is(Http2Peer.RST_STREAM, 1))
                            .type())
                    .isEqualTo(Http2Peer.PING);
        }
    }

    @Test
    void aRequestThatGoesOnAfterItsAnswerIsResetWithoutBlame() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, false, Http2Peer.head("POST", "/"));
            client.await(Http2Peer.Frame::endsStream);

            for (int i = 0; i < 5; i++) {
                client.sendData(1, false, "x".repeat(16 << 10));
            }

            assertThat(client.await(Http2Peer.RST_STREAM, 1).errorCode()).isEqualTo(Http2Peer.NO_ERROR);
        }
    }

    static List<String> trailed() {
        return List.of("5\r\nhello\r\n", "3\r\nhel\r\n2\r\nlo\r\n", "");
    }

    @ParameterizedTest
    @MethodSource("trailed")
    void trailersOfAResponseReachTheClient(String chunks) throws Exception {
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Grpc-Status\r\n\r\n";
        String trailers = "Grpc-Status: 0\r\nContent-Length: 99\r\nGrpc-Message: fine\r\n";
        try (var backend = new RawBackend(call -> call.reply(head + chunks + "0\r\n" + trailers + "\r\n"));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, true, Http2Peer.get("/"));

            assertThat(client.read(client.await(Http2Peer.HEADERS, 1)))
                    .contains(":status: 200", "trailer: Grpc-Status");
            var body = new StringBuilder();
            Http2Peer.Frame last = client.await(frame -> {
                body.append(frame.is(Http2Peer.DATA, 1) ? frame.text() : "");
                return frame.endsStream();
            });
            assertThat(body.toString()).isEqualTo(chunks.isEmpty() ? "" : "hello");
            assertThat(client.read(last)).containsExactly("grpc-status: 0", "grpc-message: fine");
            assertThat(backend.openConnections()).isEqualTo(1);
        }
    }

    @Test
    void aResponseWithMalformedTrailersIsReset() throws Exception {
        String chunks = "5\r\nhello\r\n0\r\nGrpc Status: 0\r\n\r\n";
        try (var backend = new RawBackend(
                        call -> call.reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, true, Http2Peer.get("/"));

            assertThat(client.await(frame -> frame.endsStream() || frame.is(Http2Peer.RST_STREAM, 1))
                            .type())
                    .isEqualTo(Http2Peer.RST_STREAM);
        }
    }

    @Test
    void trailersOfARequestReachTheBackend() throws Exception {
        var body = new CompletableFuture<String>();
        try (var backend = new RawBackend(call -> {
                    body.complete(RawBackend.readHead(call.in()));
                    RawBackend.text("ok").answer(call);
                });
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, false, Http2Peer.head("POST", "/").add("trailer", "checksum"))
                    .sendData(1, false, "hello")
                    .sendHead(
                            1,
                            true,
                            new DefaultHttp2Headers().add("checksum", "42").add("host", "other"));

            assertThat(client.await(Http2Peer.DATA, 1).text()).isEqualTo("ok");
            assertThat(body.join()).isEqualTo("5\r\nhello\r\n0\r\nchecksum: 42\r\n\r\n");
            assertThat(backend.heads().getFirst()).contains("transfer-encoding: chunked\r\n", "trailer: checksum\r\n");
        }
    }

    /** Gives a chunked body back in chunks. */
    private static void echoChunks(RawBackend.Call call) throws IOException {
        var data = new ByteArrayOutputStream();
        int size = chunkSize(call);
        while (size > 0) {
            data.write(call.in().readNBytes(size));
            call.in().skipNBytes(2);
            size = chunkSize(call);
        }
        call.in().skipNBytes(2);
        call.reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(data.size()) + "\r\n");
        call.reply(data.toByteArray());
        call.reply("\r\n0\r\n\r\n");
    }

    private static int chunkSize(RawBackend.Call call) throws IOException {
        var line = new StringBuilder();
        for (int b = call.in().read(); b != '\n'; b = call.in().read()) {
            line.append((char) b);
        }
        return Integer.parseInt(line.toString().strip(), 16);
    }

    private NodeAddress listen(ProxyHarness harness) throws IOException {
        return harness.listen(loaded);
    }

    private static HttpRequest get(NodeAddress address, String path) {
        return HttpRequest.newBuilder(uri(address, path)).build();
    }

    private static URI uri(NodeAddress address, String path) {
        return URI.create("https://localhost:" + address.port() + path);
    }

    private static HttpClient client(HttpClient.Version version) throws Exception {
        return HttpClient.newBuilder().version(version).sslContext(trusting()).build();
    }

    private static String certificate(NodeAddress address, String name) throws Exception {
        try (var socket = (SSLSocket) trusting().getSocketFactory().createSocket("127.0.0.1", address.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    /** The certificates were made a moment ago. */
    private static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }
}
