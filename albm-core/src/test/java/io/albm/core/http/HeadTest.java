// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head.Progress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HeadTest {
    @Test
    void takesNoByteBehindTheHead() {
        var head = new RequestHead(1 << 10);
        ByteBuf bytes = ascii("GET / HTTP/1.1\r\nHost: a\r\n\r\nbody");

        assertThat(head.feed(bytes)).isEqualTo(Progress.COMPLETE);
        assertThat(bytes.toString(StandardCharsets.US_ASCII)).isEqualTo("body");
    }

    @Test
    void readsTheNextHeadAfterAReset() {
        var head = new RequestHead(1 << 10);
        head.feed(ascii("POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n"));
        assertThat(head.contentLength()).isEqualTo(7);

        head.reset();
        assertThat(head.feed(ascii("GET /two HTTP/1.0\r\n\r\n"))).isEqualTo(Progress.COMPLETE);
        assertThat(head.target()).isEqualTo("/two");
        assertThat(head.framing()).isEqualTo(Framing.NONE);
        assertThat(head.has(Field.HOST)).isFalse();
        assertThat(head.isKeepAlive()).isFalse();
    }

    @Test
    void knowsFieldsWhateverTheirCase() {
        var head = new RequestHead(1 << 10);
        head.feed(ascii("GET / HTTP/1.1\r\nhOST: a\r\nx-FORWARDED-for: b\r\nX_Forwarded_For: c\r\n\r\n"));

        assertThat(head.value(Field.HOST)).isEqualTo("a");
        assertThat(head.value(Field.X_FORWARDED_FOR)).isEqualTo("b");
    }

    @Test
    void acceptsAHeadOfTheLargestSizeAndNoneAbove() {
        String start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        String fits = start + "x".repeat(1024 - start.length() - 4) + "\r\n\r\n";

        assertThat(new RequestHead(1024).feed(ascii(fits))).isEqualTo(Progress.COMPLETE);
        assertThat(refusal("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(1024)))
                .isEqualTo(431);
        assertThat(refusal("GET /" + "x".repeat(1024))).isEqualTo(414);
        assertThat(new RequestHead(4096).feed(ascii("GET / HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(255) + "\r\n")))
                .isEqualTo(Progress.COMPLETE);
        assertThat(refusal("GET / HTTP/1.1\r\nHost: a\r\n" + "X:\r\n".repeat(300)))
                .isEqualTo(431);
    }

    private static int refusal(String bytes) {
        var head = new RequestHead(bytes.startsWith("GET / HTTP/1.1\r\nHost: a\r\nX:\r\n") ? 4096 : 1024);
        assertThat(head.feed(ascii(bytes))).isEqualTo(Progress.REFUSED);
        return Objects.requireNonNull(head.refusal()).status();
    }

    @Test
    void hashesThePathWithoutTheQuery() {
        assertThat(hash("/a?x=1")).isEqualTo(hash("/a?x=2")).isEqualTo(hash("http://h/a"));
        assertThat(hash("/a")).isNotEqualTo(hash("/b"));
    }

    private static long hash(String target) {
        var head = new RequestHead(1 << 10);
        assertThat(head.feed(ascii("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n")))
                .isEqualTo(Progress.COMPLETE);
        return head.pathHash();
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
