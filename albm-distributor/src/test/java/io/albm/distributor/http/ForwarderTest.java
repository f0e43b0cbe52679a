// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head.Progress;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import io.albm.core.http.ResponseHead;
import io.albm.distributor.http.ResponseForwarder.Ending;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** To the byte, what the next hop gets. */
class ForwarderTest {
    private static final Client CLIENT = new Client("10.0.0.9".getBytes(StandardCharsets.US_ASCII), false);
    private static final byte[] BACKEND = "b:81".getBytes(StandardCharsets.US_ASCII);
    private static final Forwarding ALL = new Forwarding(true, true);

    @Test
    void copiesTheLinesAndAddsItsOwn() {
        assertThat(forward(Forwarding.PLAIN, "GET /a?b HTTP/1.1", "Host: h", "X-Mine:  1", "Accept: */*"))
                .isEqualTo(lines(
                        "GET /a?b HTTP/1.1",
                        "Host: h",
                        "X-Mine:  1",
                        "Accept: */*",
                        "X-Forwarded-For: 10.0.0.9",
                        "X-Forwarded-Proto: http",
                        "X-Forwarded-Host: h",
                        "Via: 1.1 albm"));
    }

    @Test
    void dropsWhatIsMeantForOneHop() {
        assertThat(forward(
                        Forwarding.PLAIN,
                        "POST / HTTP/1.1",
                        "Connection: X-Hop, keep-alive, Host, content-length",
                        "Host: h",
                        "x-hop: 1",
                        "Keep-Alive: timeout=5",
                        "TE: trailers",
                        "Upgrade: h2c",
                        "HTTP2-Settings: x",
                        "Proxy-Connection: keep-alive",
                        "Content-Length: 5"))
                .isEqualTo(lines(
                        "POST / HTTP/1.1",
                        "Host: h",
                        "Content-Length: 5",
                        "X-Forwarded-For: 10.0.0.9",
                        "X-Forwarded-Proto: http",
                        "X-Forwarded-Host: h",
                        "Via: 1.1 albm"));
    }

    @Test
    void replacesWhatAClientSaysAboutItself() {
        assertThat(forward(
                        Forwarding.PLAIN,
                        "GET / HTTP/1.1",
                        "X-Forwarded-For: 1.1.1.1",
                        "Host: h",
                        "X-Forwarded-Host: evil",
                        "X-Forwarded-For: 2.2.2.2",
                        "X-Forwarded-Proto: https",
                        "Via: 1.0 x"))
                .isEqualTo(lines(
                        "GET / HTTP/1.1",
                        "Host: h",
                        "Via: 1.0 x",
                        "X-Forwarded-For: 1.1.1.1, 2.2.2.2, 10.0.0.9",
                        "X-Forwarded-Proto: http",
                        "X-Forwarded-Host: h",
                        "Via: 1.1 albm"));
    }

    @Test
    void turnsAWholeUriIntoPathAndHost() {
        assertThat(forward(Forwarding.PLAIN, "GET http://u:8/p?q HTTP/1.1", "Host: other"))
                .startsWith("GET /p?q HTTP/1.1\r\nHost: u:8\r\nX-Forwarded-For")
                .doesNotContain("other");
        assertThat(forward(Forwarding.PLAIN, "GET HTTP://u?q HTTP/1.1", "Host: u"))
                .startsWith("GET /?q HTTP/1.1\r\n");
        assertThat(forward(Forwarding.PLAIN, "GET http://u HTTP/1.1", "Host: u"))
                .startsWith("GET / HTTP/1.1\r\n");
    }

    @Test
    void givesARequestOfHttp10AHost() {
        assertThat(forward(Forwarding.PLAIN, "GET / HTTP/1.0")).startsWith("GET / HTTP/1.1\r\nHost: b:81\r\nX-Forw");
    }

    @Test
    void addsForwardedAndARequestIdIfTold() {
        assertThat(forward(ALL, "GET / HTTP/1.1", "Host: h"))
                .contains("\r\nForwarded: for=10.0.0.9;proto=http\r\n")
                .containsPattern("\r\nX-Request-Id: [0-9a-f]{32}\r\n");
        assertThat(forward(ALL, "GET / HTTP/1.1", "Host: h", "X-Request-Id: mine-1"))
                .containsOnlyOnce("X-Request-Id")
                .contains("X-Request-Id: mine-1\r\n");
        assertThat(forward(ALL, "GET / HTTP/1.1", "Host: h", "X-Request-Id: a b"))
                .containsOnlyOnce("X-Request-Id")
                .doesNotContain("a b");
    }

    @Test
    void copiesAResponseAndFramesItForItsReader() {
        String[] chunked = {"HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Connection: X-Hop", "X-Hop: 1", "A: b"};

        assertThat(answer(true, Ending.STAYS, chunked))
                .isEqualTo(lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "A: b", "Via: 1.1 albm"));
        assertThat(answer(false, Ending.CLOSES, chunked))
                .isEqualTo(lines("HTTP/1.1 200 OK", "A: b", "Connection: close", "Via: 1.1 albm"));
        assertThat(answer(true, Ending.STAYS, "HTTP/1.0 200", "A: b"))
                .isEqualTo(lines("HTTP/1.1 200 ", "A: b", "Transfer-Encoding: chunked", "Via: 1.1 albm"));
        assertThat(answer(false, Ending.STAYS_AS_AGREED, "HTTP/1.1 204 x", "Content-Length: 0"))
                .isEqualTo(lines("HTTP/1.1 204 x", "Connection: keep-alive", "Via: 1.1 albm"));
    }

    @Test
    void asksForTheRestOfADocument() {
        ResponseHead first = new ResponseHead(1 << 10);
        assertThat(first.feed(bytes("HTTP/1.1 200 OK", "ETag: \"v\"", "Content-Length: 100")))
                .isEqualTo(Progress.COMPLETE);
        ResumePoint point = ResumePoint.of(Method.GET, first).orElseThrow();

        ByteBuf rest = new RequestForwarder(Forwarding.PLAIN, new SplittableRandom(1))
                .writeRest(
                        request("GET / HTTP/1.1", "If-None-Match: \"w\"", "Host: h"),
                        CLIENT,
                        BACKEND,
                        UnpooledByteBufAllocator.DEFAULT,
                        point,
                        40);

        assertThat(text(rest))
                .startsWith("GET / HTTP/1.1\r\nHost: h\r\nRange: bytes=40-\r\nIf-Range: \"v\"\r\n")
                .doesNotContain("None-Match");
    }

    @Test
    void saysWhatWaitsInPlaceOfWhatAClientSays() {
        assertThat(forward(Forwarding.PLAIN, "GET / HTTP/1.1", "Host: h", "ALBM-Waiting: \"/taught\""))
                .doesNotContainIgnoringCase("albm-waiting");
        assertThat(forward("\"/a\"", Forwarding.PLAIN, "GET / HTTP/1.1", "Host: h", "albm-waiting: \"/taught\""))
                .contains("\r\nAlbm-Waiting: \"/a\"\r\n")
                .doesNotContain("taught");
    }

    private static String forward(Forwarding forwarding, String... lines) {
        return forward("", forwarding, lines);
    }

    private static String forward(String waiting, Forwarding forwarding, String... lines) {
        byte[] announced = waiting.getBytes(StandardCharsets.US_ASCII);
        return text(new RequestForwarder(forwarding, new SplittableRandom(1))
                .write(request(lines), CLIENT, BACKEND, announced, UnpooledByteBufAllocator.DEFAULT));
    }

    private static RequestHead request(String... lines) {
        var head = new RequestHead(1 << 10);
        assertThat(head.feed(bytes(lines))).isEqualTo(Progress.COMPLETE);
        return head;
    }

    private static String answer(boolean chunked, Ending ending, String... lines) {
        var head = new ResponseHead(1 << 10);
        assertThat(head.feed(bytes(lines))).isEqualTo(Progress.COMPLETE);
        return text(new ResponseForwarder().write(head, chunked, ending, UnpooledByteBufAllocator.DEFAULT, 0));
    }

    private static ByteBuf bytes(String... lines) {
        return Unpooled.copiedBuffer(lines(lines), StandardCharsets.ISO_8859_1);
    }

    private static String text(ByteBuf bytes) {
        String text = bytes.toString(StandardCharsets.ISO_8859_1);
        bytes.release();
        return text;
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }
}
