// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.HeadWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Http2RequestTest {
    private final HeadWriter out = new HeadWriter();

    @Test
    void saysARequestInHttp11() {
        Http2Headers headers = get().add("accept", "*/*")
                .add("cookie", "a=1")
                .add("cookie", "b=2")
                .add("te", "trailers");

        assertThat(written(headers, false))
                .isEqualTo("GET /a?b HTTP/1.1\r\nhost: h:81\r\naccept: */*\r\ncookie: a=1; b=2\r\n\r\n");
    }

    @Test
    void aBodyOfUnknownLengthGoesOnInChunks() {
        assertThat(written(get(), true)).contains("transfer-encoding: chunked\r\n");
        assertThat(written(get().add("content-length", "5"), true))
                .contains("content-length: 5\r\n")
                .doesNotContain("chunked");
    }

    @Test
    void aHostThatEqualsTheAuthorityIsSaidOnce() {
        assertThat(written(get().add("host", "H:81"), false))
                .containsOnlyOnce("h:81")
                .doesNotContain("H:81");
    }

    @Test
    void withoutAnAuthorityTheHostIsTaken() {
        Http2Headers headers =
                new DefaultHttp2Headers(false).method("GET").scheme("http").path("/");

        assertThat(written(headers.add("host", "h"), false)).contains("host: h\r\n");
    }

    static List<Http2Headers> malformed() {
        return List.of(
                get().method("GET").add(":method", "GET"),
                get().path(""),
                get().path("x"),
                get().path("/a b"),
                get().path("http://other/"),
                get().method("G T"),
                get().add(":unknown", "x"),
                get().add("accept", "*/*").add(":late", "x"),
                get().add("connection", "close"),
                get().add("keep-alive", "1"),
                get().add("proxy-connection", "close"),
                get().add("transfer-encoding", "chunked"),
                get().add("upgrade", "websocket"),
                get().add("te", "gzip"),
                get().add("Upper", "x"),
                get().add("a b", "x"),
                get().add("", "x"),
                get().add("x", "a\r\nhost: other"),
                get().add("x", "a\0"),
                get().add("host", "other"),
                get().add("host", "h:81").add("host", "h:81"),
                new DefaultHttp2Headers(false).method("GET").scheme("http").path("/"),
                new DefaultHttp2Headers(false).method("GET").path("/").authority("h"),
                new DefaultHttp2Headers(false).scheme("http").path("/").authority("h"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void refusesWhatHttp2ForbidsAndWhatWouldBeReadOtherwise(Http2Headers headers) {
        assertThat(Http2Request.write(headers, false, out)).isFalse();
    }

    @Test
    void trailersLoseWhatTheyMayNotSay() {
        Http2Headers trailers = new DefaultHttp2Headers(false).add("x-sum", "1").add("content-length", "7");

        assertThat(Http2Request.writeTrailers(trailers, out)).isTrue();
        assertThat(text()).isEqualTo("0\r\nx-sum: 1\r\n\r\n");
    }

    @Test
    void trailersWithPseudoHeadersAreMalformed() {
        assertThat(Http2Request.writeTrailers(get(), out)).isFalse();
    }

    private static Http2Headers get() {
        return new DefaultHttp2Headers(false)
                .method("GET")
                .scheme("https")
                .path("/a?b")
                .authority("h:81");
    }

    private String written(Http2Headers headers, boolean bodyFollows) {
        assertThat(Http2Request.write(headers, bodyFollows, out)).isTrue();
        return text();
    }

    private String text() {
        ByteBuf buffer = out.toBuffer(UnpooledByteBufAllocator.DEFAULT, 0);
        String text = buffer.toString(StandardCharsets.ISO_8859_1);
        buffer.release();
        return text;
    }
}
