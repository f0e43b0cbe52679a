// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import java.util.List;
import java.util.SplittableRandom;

/** Requests one behind the other, some of them almost right. */
final class RandomRequests {
    private static final List<String> LINES = List.of(
            "GET /%d HTTP/1.1",
            "HEAD /%d HTTP/1.1",
            "GET http://h/%d HTTP/1.1",
            "GET /%d HTTP/1.0",
            "DELETE /%d HTTP/1.1",
            "OPTIONS * HTTP/1.1");
    private static final List<String> FIELDS = List.of(
            "Range: bytes=0-0,5-",
            "If-None-Match: \"x\"",
            "Accept-Encoding: gzip;q=0.5, *",
            "Connection: keep-alive",
            "Connection: close",
            "Expect: 100-continue",
            "X: " + "y".repeat(60));
    private static final List<String> BODIES = List.of(
            "Content-Length: 3\r\n\r\nabc",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n0\r\nT: 1\r\n\r\n",
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Content-Length: 70000\r\n\r\n");
    private static final List<String> NOISE = List.of("\r", "\n", "\0", " ", ":", "\r\n", "\r\n\r\n", "\u00ff", "0");

    private RandomRequests() {}

    static String some(SplittableRandom random) {
        var text = new StringBuilder();
        for (int requests = 1 + random.nextInt(4); requests > 0; requests--) {
            text.append(one(LINES, random).replace("%d", Integer.toString(requests)))
                    .append("\r\nHost: h\r\n");
            for (int fields = random.nextInt(3); fields > 0; fields--) {
                text.append(one(FIELDS, random)).append("\r\n");
            }
            text.append(random.nextInt(3) == 0 ? one(BODIES, random) : "\r\n");
        }
        for (int faults = random.nextInt(3); faults > 0; faults--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.insert(at, one(NOISE, random));
                default -> text.deleteCharAt(at);
            }
        }
        return text.toString();
    }

    private static String one(List<String> of, SplittableRandom random) {
        return of.get(random.nextInt(of.size()));
    }
}
