// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.util.List;
import java.util.SplittableRandom;

/** Makes messages that are almost right, from a seed. */
final class Mutations {
    private static final List<String> SNIPPETS = List.of(
            "\r\n",
            "\r",
            "\n",
            " ",
            "\t",
            "\0",
            ":",
            ",",
            ";",
            "\"",
            "\\",
            "\u007f",
            "\u00ff",
            "\r\n\r\n",
            "0\r\n\r\n",
            "Content-Length: 5\r\n",
            "Transfer-Encoding: chunked\r\n",
            "chunked",
            "5",
            "f",
            " HTTP/1.1",
            "Host: a\r\n");
    private static final List<String> LINES = List.of(
            "Host: a",
            "Host: a:80",
            "Host: [::1]:80",
            "hOsT: b",
            "Content-Length: 5",
            "Content-Length: 0",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: gzip",
            "Connection: close, X-A",
            "Connection: keep-alive",
            "X-A: b",
            "X-Long: " + "abcdefgh".repeat(6),
            "X-Empty:",
            "X-Spaces: \t a b \t ",
            "Expect: 100-continue",
            "ETag: \"v1\"",
            "Via: 1.0 x");
    private static final List<String> FIRST = List.of(
            "GET / HTTP/1.1",
            "POST /a?b=c HTTP/1.1",
            "GET http://h/ HTTP/1.1",
            "OPTIONS * HTTP/1.1",
            "GET / HTTP/1.0",
            "\r\nPUT /x HTTP/1.1",
            "DELETE / HTTP/2.0",
            "CONNECT a:1 HTTP/1.1",
            "GET /#f HTTP/1.1");
    private static final List<String> STATUS = List.of(
            "HTTP/1.1 200 OK",
            "HTTP/1.1 200",
            "HTTP/1.1 204 No Content",
            "HTTP/1.0 404 Not Found",
            "HTTP/1.1 100 Continue",
            "HTTP/1.1 304 ",
            "HTTP/1.1 099 x",
            "HTTP/2 200");
    private static final List<String> CHUNKS = List.of(
            "5\r\nhello\r\n", "1\r\nx\r\n", "a;b=c\r\n0123456789\r\n", "003;q=\"\\\";\"\r\nabc\r\n", "2;n\r\n\r\n\r\n");
    private static final List<String> ENDS = List.of(
            "0\r\n\r\n", "0\r\nX-Trailer: 1\r\n\r\n", "00;x\r\nA: b\r\nContent-Length: 3\r\n\r\n", "0\r\n\r\nGET /");

    private final SplittableRandom random;

    Mutations(long seed) {
        random = new SplittableRandom(seed);
    }

    String request() {
        return mutated(head(FIRST));
    }

    String response() {
        return mutated(head(STATUS));
    }

    String chunked() {
        var body = new StringBuilder();
        for (int chunks = random.nextInt(4); chunks > 0; chunks--) {
            body.append(one(CHUNKS));
        }
        return mutated(body.append(one(ENDS)));
    }

    private StringBuilder head(List<String> first) {
        var head = new StringBuilder(one(first)).append("\r\n");
        if (random.nextInt(4) > 0) {
            head.append("Host: a\r\n");
        }
        for (int lines = random.nextInt(4); lines > 0; lines--) {
            head.append(one(LINES)).append("\r\n");
        }
        return head.append("\r\n").append(random.nextInt(3) == 0 ? "body" : "");
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String mutated(StringBuilder text) {
        for (int times = random.nextInt(3); times > 0 && !text.isEmpty(); times--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.insert(at, one(SNIPPETS));
                case 3 -> text.setLength(at);
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(12))));
            }
        }
        return text.toString();
    }

    /** Where to cut a message of that length next. */
    int piece(int left) {
        return 1 + random.nextInt(left);
    }
}
