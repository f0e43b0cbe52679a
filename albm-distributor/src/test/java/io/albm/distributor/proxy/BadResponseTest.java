// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A backend's answer is read as strictly as a client's request: what could be read in two ways reaches no client. */
class BadResponseTest {
    static List<String> malformed() {
        return List.of(
                "HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX-A: b\r\n folded\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX-A : b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX-A: b\0\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX-A: b\rc\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX\0A: b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "ICY 200 OK\r\n\r\nok",
                "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX-A: " + "a".repeat(70_000) + "\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void answers502(String response) throws Exception {
        try (var backend = new RawBackend(call -> call.reply(response));
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.talk(head("POST / HTTP/1.1", "Host: a", "Connection: close")))
                    .startsWith("HTTP/1.1 502 ")
                    .doesNotContain("ok");
            await().until(() -> backend.openConnections() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("badChunks")
    void cutsTheClientWhereTheChunksGoWrong(String chunks) throws Exception {
        try (var backend = new RawBackend(call ->
                        call.reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n" + chunks));
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.talk(head("GET / HTTP/1.1", "Host: a"))).doesNotContain("0\r\n\r\n");
            assertThat(harness.stats.count(ProxyStats.Event.CUT)).isEqualTo(1);
        }
    }

    static List<String> badChunks() {
        return List.of(
                "x\r\n",
                "2\nok\r\n0\r\n\r\n",
                "2\r\nokk\r\n0\r\n\r\n",
                "2 \r\nok\r\n0\r\n\r\n",
                "2;a=\u0001\r\nok\r\n0\r\n\r\n",
                "fffffffffffffffff\r\n",
                "0\r\nbad trailer\r\n\r\n",
                "0\r\nA: b\n\r\n");
    }

    @Test
    void neverGivesABackendsSecondAnswerToTheNextRequest() throws Exception {
        var calls = new AtomicInteger();
        try (var backend = new RawBackend(call -> call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                        + (calls.incrementAndGet() == 1 ? "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison" : "")));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 10; i++) {
                RawClient.send(client, head("GET / HTTP/1.1", "Host: a"));
                assertThat(RawClient.readResponse(client)).endsWith("ok");
            }
        }
    }
}
