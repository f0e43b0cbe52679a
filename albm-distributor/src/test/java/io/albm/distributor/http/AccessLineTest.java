// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.RequestHead;
import io.albm.core.json.Json;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AccessLineTest {
    private static final long ENDED = Instant.parse("2026-03-04T05:06:07.890Z").toEpochMilli();
    private static final Client CLIENT = new Client("10.0.0.9".getBytes(StandardCharsets.US_ASCII), false);
    private static final AccessLine.End END = new AccessLine.End(ENDED, 206, 1_234, 5_678_000, "cache-1");

    @Test
    void commonIsWhatNcsaHttpdWrote() {
        assertThat(line(AccessFormat.COMMON, "GET /a?b HTTP/1.1", "Host: h"))
                .isEqualTo("10.0.0.9 - - [04/Mar/2026:05:06:07 +0000] \"GET /a?b HTTP/1.1\" 206 1234\n");
    }

    @Test
    void combinedAddsRefererAndUserAgent() {
        assertThat(line(AccessFormat.COMBINED, "GET / HTTP/1.1", "Host: h", "User-Agent: me"))
                .endsWith("206 1234 \"-\" \"me\"\n");
    }

    @Test
    void jsonHasBackendAndTimeTaken() {
        var json = Json.tree(line(AccessFormat.JSON, "GET /a HTTP/1.1", "Host: h", "X-Request-Id: 7", "Referer: r"));

        assertThat(json.path("time").asText()).isEqualTo("2026-03-04T05:06:07Z");
        assertThat(json.path("client").asText()).isEqualTo("10.0.0.9");
        assertThat(json.path("method").asText()).isEqualTo("GET");
        assertThat(json.path("target").asText()).isEqualTo("/a");
        assertThat(json.path("version").asText()).isEqualTo("HTTP/1.1");
        assertThat(json.path("status").asInt()).isEqualTo(206);
        assertThat(json.path("bytes").asInt()).isEqualTo(1_234);
        assertThat(json.path("micros").asInt()).isEqualTo(5_678);
        assertThat(json.path("backend").asText()).isEqualTo("cache-1");
        assertThat(json.path("host").asText()).isEqualTo("h");
        assertThat(json.path("requestId").asText()).isEqualTo("7");
        assertThat(json.path("referer").asText()).isEqualTo("r");
        assertThat(json.has("userAgent")).isFalse();
    }

    @Test
    void aFieldStaysOneFieldWhateverTheClientPutsInIt() {
        String nasty = "a\" b\\ c\t\u00e4";

        assertThat(line(AccessFormat.COMBINED, "GET /\" HTTP/1.1", "Host: h", "User-Agent: " + nasty))
                .contains("\"GET /\\\" HTTP/1.1\"")
                .endsWith("\"a\\\" b\\\\ c\\x09\\xe4\"\n");
        assertThat(Json.tree(line(AccessFormat.JSON, "GET / HTTP/1.1", "Host: h", "User-Agent: " + nasty))
                        .path("userAgent")
                        .asText())
                .isEqualTo(nasty);
    }

    private static String line(AccessFormat format, String... lines) {
        var head = new RequestHead(1 << 10);
        byte[] text = (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(head.feed(Unpooled.wrappedBuffer(text))).isEqualTo(Head.Progress.COMPLETE);
        var out = new HeadWriter();
        new AccessLine(format).write(head, CLIENT, END, out);
        return StandardCharsets.ISO_8859_1.decode(out.copy()).toString();
    }
}
