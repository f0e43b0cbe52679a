// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head;
import io.albm.core.http.RequestHead;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Heads of requests for tests of what reads them. */
final class Heads {
    private Heads() {}

    /** A GET with these whole header lines. */
    static RequestHead get(String... lines) {
        var text = new StringBuilder("GET / HTTP/1.1\r\nHost: test\r\n");
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        var head = new RequestHead(16 << 10);
        assertThat(head.feed(Unpooled.copiedBuffer(text.append("\r\n"), StandardCharsets.ISO_8859_1)))
                .isEqualTo(Head.Progress.COMPLETE);
        return head;
    }
}
