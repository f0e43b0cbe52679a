// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A well-behaved client in front, a well-behaved backend behind. */
class HttpProxyTest {
    @Test
    void forwardsARequestAndItsResponse() throws Exception {
        try (var backend = new RawBackend(
                        call -> call.reply(
                                "HTTP/1.1 201 Made\r\nContent-Length: 5\r\nX-Own: yes\r\nConnection: X-Hop\r\nX-Hop: no\r\n\r\nhello"));
                var harness = new ProxyHarness(backend)) {
            HttpResponse<String> response = harness.http.send(
                    HttpRequest.newBuilder(harness.uri("/a%20b?c=d"))
                            .header("X-Mine", "1")
                            .build(),
                    BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(201);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(response.headers().firstValue("X-Own")).contains("yes");
            assertThat(response.headers().firstValue("Via")).contains("1.1 albm");
            assertThat(response.headers().firstValue("X-Hop")).isEmpty();
            assertThat(backend.heads().getFirst())
                    .startsWith("GET /a%20b?c=d HTTP/1.1\r\n")
                    .containsIgnoringCase("x-mine: 1\r\n")
                    .containsIgnoringCase("x-forwarded-for: 127.0.0.1\r\n")
                    .containsIgnoringCase("x-forwarded-proto: http\r\n")
                    .containsIgnoringCase("via: 1.1 albm\r\n")
                    .containsIgnoringCase("host: " + harness.address + "\r\n")
                    .doesNotContainIgnoringCase("\r\nupgrade:");
        }
    }

    @Test
    void keepsConnectionsOpenOnBothSides() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 50; i++) {
                send(client, "GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("ok");
            }
            assertThat(backend.heads()).hasSize(50);
            assertThat(backend.openConnections()).isEqualTo(1);
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws Exception {
        try (var backend = new RawBackend(call -> {
                    String body = call.target();
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                });
                var harness = new ProxyHarness(backend)) {
            var requests = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            requests.append("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            String all = harness.talk(requests.toString());

            assertThat(all.split("HTTP/1.1 200 OK")).hasSize(22);
            assertThat(backend.heads().stream().map(head -> head.split(" ", 3)[1]))
                    .startsWith("/0", "/1", "/2")
                    .endsWith("/18", "/19", "/last");
        }
    }

    @Test
    void givesTheSameAnswerToARequestThatComesByteByByte() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            client.setTcpNoDelay(true);
            for (byte b : "GET /slowly HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII)) {
                client.getOutputStream().write(b);
            }
            assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("ok");
        }
    }

    @Test
    void answersHeadWithTheLengthAndWithoutABody() throws Exception {
        try (var backend = new RawBackend(call -> call.reply("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"));
                var harness = new ProxyHarness(backend)) {
            String answers = harness.talk(
                    head("HEAD / HTTP/1.1", "Host: a") + head("HEAD / HTTP/1.1", "Host: a", "Connection: close"));

            assertThat(answers.split("HTTP/1.1 200 OK")).hasSize(3);
            assertThat(answers).containsIgnoringCase("content-length: 1000000").endsWith("\r\n\r\n");
            assertThat(backend.openConnections()).isEqualTo(1);
        }
    }

    @Test
    void passesAResponseWithoutLengthInChunks() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\n\r\nuntil the end");
                    call.socket().close();
                });
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.get("/").body()).isEqualTo("until the end");
            assertThat(harness.talk("GET / HTTP/1.0\r\n\r\n"))
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .endsWith("\r\n\r\nuntil the end");
        }
    }

    @Test
    void asksForContinueAtTheBackend() throws Exception {
        try (var backend = new RawBackend(call -> {
                    assertThat(call.header("Expect")).contains("100-continue");
                    call.reply("HTTP/1.1 100 Continue\r\n\r\n");
                    String body = new String(call.in().readNBytes(5), StandardCharsets.US_ASCII);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body);
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 100 Continue");
            send(client, "12345");
            assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("12345");
        }
    }

    @Test
    void passesAChunkedUploadOn() throws Exception {
        try (var backend = new RawBackend(call -> {
                    assertThat(call.header("Transfer-Encoding")).contains("chunked");
                    String chunks = RawBackend.readHead(call.in());
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + chunks.length() + "\r\n\r\n" + chunks);
                });
                var harness = new ProxyHarness(backend)) {
            String upload = head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Connection: close")
                    + head("5;ext=1", "hello", "0", "Trailer-Field: x");

            assertThat(harness.talk(upload))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("\r\n\r\n5;ext=1\r\nhello\r\n0\r\nTrailer-Field: x\r\n\r\n");
        }
    }

    @Test
    void passesChunksOnAsTheyComeAndTheirDataAloneToAnOldClient() throws Exception {
        String chunks = "2;a=b\r\nok\r\n3\r\nayy\r\n0\r\nX-Sum: 5\r\n\r\n";
        try (var backend = new RawBackend(
                        call -> call.reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks));
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.talk(head("GET / HTTP/1.1", "Host: a", "Connection: close")))
                    .containsIgnoringCase("transfer-encoding: chunked\r\n")
                    .endsWith("\r\n\r\n" + chunks);
            assertThat(harness.talk(head("GET / HTTP/1.0")))
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .endsWith("\r\n\r\nokayy");
        }
    }

    @Test
    void dropsATrailerThatWouldChangeHowTheMessageIsRead() throws Exception {
        try (var backend = new RawBackend(call -> {
                    String chunks = RawBackend.readHead(call.in());
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + chunks.length() + "\r\n\r\n" + chunks);
                });
                var harness = new ProxyHarness(backend)) {
            String upload = head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Connection: close")
                    + head("0", "Content-Length: 50", "X-Sum: 1", "Host: evil");

            assertThat(harness.talk(upload)).endsWith("\r\n\r\n0\r\nX-Sum: 1\r\n\r\n");
        }
    }

    @Test
    void passesNoInterimAnswerToAnOldClient() throws Exception {
        try (var backend = new RawBackend(call -> call.reply("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.talk(head("GET / HTTP/1.0")))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("ok");
            assertThat(harness.talk(head("GET / HTTP/1.1", "Host: a", "Connection: close")))
                    .startsWith("HTTP/1.1 103 Early Hints\r\nLink: a\r\n")
                    .endsWith("ok");
        }
    }
}
