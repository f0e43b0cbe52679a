// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static io.albm.cache.http.DocumentServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.http.RawClient.Response;
import io.albm.core.node.OrcaReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server answers, over real sockets. */
class HttpServerTest extends ServedTree {
    @Test
    void servesADocumentWithItsDescription() throws IOException {
        Response response = get("/a.txt");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo("0123456789");
        assertThat(response.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(response.header("etag")).isEqualTo("\"84d89877f0d4041efb6bf91a16f0248f\"");
        assertThat(response.header("accept-ranges")).isEqualTo("bytes");
        assertThat(response.headers()).containsKeys("last-modified", "date");
    }

    @Test
    void everyResponseCarriesTheLoadReportOnceThereIsOne() throws IOException {
        assertThat(get("/a.txt").headers()).doesNotContainKey("endpoint-load-metrics");

        server.reportLoad(new OrcaReport(0.25, 0.5, 0.5, 40, 0));
        String report = "TEXT cpu_utilization=0.250,mem_utilization=0.500,application_utilization=0.500,"
                + "rps_fractional=40.000,eps=0.000";
        assertThat(get("/a.txt").header("endpoint-load-metrics")).isEqualTo(report);
        assertThat(get("/large.bin").header("endpoint-load-metrics")).isEqualTo(report);
        assertThat(get("/missing").header("endpoint-load-metrics")).isEqualTo(report);
    }

    @Test
    void servesTheIndexOfADirectory() throws IOException {
        assertThat(get("/").text()).isEqualTo("<p>home");
        assertThat(get("/dir/?x=1").text()).isEqualTo("<p>dir");
        Response redirect = get("/dir?x=1");
        assertThat(redirect.status()).isEqualTo(301);
        assertThat(redirect.header("location")).isEqualTo("/dir/?x=1");
    }

    @Test
    void answersHeadWithTheSameHeadersAndNoBody() throws IOException {
        try (RawClient client = connect()) {
            client.request("HEAD", "/a.txt");
            Response head = client.receive(false);
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("content-length")).isEqualTo("10");
            client.request("HEAD", "/large.bin");
            assertThat(client.receive(false).header("content-length")).isEqualTo(Integer.toString(LARGE.length));
            client.request("HEAD", "/none");
            assertThat(client.receive(false).status()).isEqualTo(404);
            assertThat(client.get("/a.txt").text()).isEqualTo("0123456789");
        }
    }

    @Test
    void servesAnEmptyDocument() throws IOException {
        Response response = get("/empty.css");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("content-length")).isEqualTo("0");
        assertThat(get("/empty.css", "Range: bytes=-5").status()).isEqualTo(200);
    }

    @Test
    void countsAsReadOfALargeDocumentOnlyWhatIsSent() throws IOException {
        try (RawClient client = connect()) {
            client.request("HEAD", "/large.bin");
            String etag = String.valueOf(client.receive(false).header("etag"));
            assertThat(client.get("/large.bin", "If-None-Match: " + etag).status())
                    .isEqualTo(304);
            assertThat(store.stats().requests()).isEqualTo(2);
            assertThat(store.stats().reads()).isZero();

            assertThat(client.get("/large.bin").body()).isEqualTo(LARGE);
            assertThat(store.stats().reads()).isEqualTo(1);
        }
    }

    @Test
    void findsNothingWhereTheIndexOfADirectoryIsADirectory() throws IOException {
        Files.createDirectories(root.resolve("odd/index.html"));

        assertThat(get("/odd/").status()).isEqualTo(404);
        assertThat(get("/odd/index.html").header("location")).isEqualTo("/odd/index.html/");
    }

    @Test
    void answersConditionalRequests() throws IOException {
        Response whole = get("/a.txt");

        Response unchanged = get("/a.txt", "If-None-Match: " + whole.header("etag"));
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.header("etag")).isEqualTo(whole.header("etag"));
        assertThat(get("/a.txt", "If-Modified-Since: " + whole.header("last-modified"))
                        .status())
                .isEqualTo(304);
        assertThat(get("/a.txt", "If-Match: \"other\"").status()).isEqualTo(412);
        assertThat(get("/large.bin", "If-None-Match: " + get("/large.bin").header("etag"))
                        .status())
                .isEqualTo(304);
    }

    @Test
    void answersRanges() throws IOException {
        String etag = get("/a.txt").header("etag");

        Response part = get("/a.txt", "Range: bytes=3-5", "If-Range: " + etag);
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("345");
        assertThat(part.header("content-range")).isEqualTo("bytes 3-5/10");
        assertThat(get("/a.txt", "Range: bytes=3-5", "If-Range: \"other\"").text())
                .isEqualTo("0123456789");
        Response beyond = get("/a.txt", "Range: bytes=10-");
        assertThat(beyond.status()).isEqualTo(416);
        assertThat(beyond.header("content-range")).isEqualTo("bytes */10");
    }

    @Test
    void answersSeveralRangesInOneBody() throws IOException {
        Response parts = get("/a.txt", "Range: bytes=7-,0-1");

        assertThat(parts.status()).isEqualTo(206);
        String boundary = String.valueOf(parts.header("etag")).replace("\"", "");
        assertThat(parts.header("content-type")).isEqualTo("multipart/byteranges; boundary=" + boundary);
        String type = "Content-Type: text/plain; charset=utf-8\r\n";
        assertThat(parts.text())
                .isEqualTo("\r\n--" + boundary + "\r\n" + type + "Content-Range: bytes 7-9/10\r\n\r\n789"
                        + "\r\n--" + boundary + "\r\n" + type + "Content-Range: bytes 0-1/10\r\n\r\n01"
                        + "\r\n--" + boundary + "--\r\n");
        assertThat(get("/large.bin", "Range: bytes=0-0,5000000-5000009").text())
                .contains("Content-Range: bytes 0-0/5242880", "Content-Range: bytes 5000000-5000009/5242880");
        assertThat(get("/a.txt", "Range: bytes=0-5,3-").text()).isEqualTo("0123456789");
    }

    @Test
    void servesTheCodingThatTheClientLikesBest() throws IOException {
        String page = "<p>the same again</p>".repeat(200);
        Files.writeString(root.resolve("page.html"), page);
        Files.writeString(root.resolve("page.html.br"), "as if by brotli");
        Response plain = get("/page.html");
        Response gzip = get("/page.html", "Accept-Encoding: gzip");
        Response brotli = get("/page.html", "Accept-Encoding: gzip, br, zstd");

        assertThat(plain.text()).isEqualTo(page);
        assertThat(plain.header("content-encoding")).isNull();
        assertThat(gzip.header("content-encoding")).isEqualTo("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(page);
        assertThat(brotli.text()).isEqualTo("as if by brotli");
        assertThat(brotli.header("content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(List.of(plain, gzip, brotli))
                .extracting(response -> response.header("vary"))
                .containsOnly("Accept-Encoding");
        assertThat(List.of(plain, gzip, brotli))
                .extracting(response -> response.header("etag"))
                .doesNotHaveDuplicates();
        assertThat(get("/page.html", "Accept-Encoding: gzip;q=0.2, identity").text())
                .isEqualTo(page);
        assertThat(get("/page.html", "Accept-Encoding: zstd, identity;q=0").status())
                .isEqualTo(406);
        assertThat(get("/page.html", "Accept-Encoding: gzip", "If-None-Match: " + gzip.header("etag"))
                        .status())
                .isEqualTo(304);
        assertThat(get("/none.html", "Accept-Encoding: gzip, br").status()).isEqualTo(404);
    }

    @Test
    void servesNoFileInAnotherCodingThatIsOlderThanItsDocument() throws IOException {
        Files.writeString(root.resolve("new.html.br"), "of an older page");
        Files.setLastModifiedTime(root.resolve("new.html.br"), FileTime.from(Instant.EPOCH));
        Files.writeString(root.resolve("new.html"), "<p>new");

        Response response = get("/new.html", "Accept-Encoding: br");

        assertThat(response.text()).isEqualTo("<p>new");
        assertThat(response.header("content-encoding")).isNull();
    }

    @Test
    void streamsADocumentTooLargeToCache() throws IOException {
        Response whole = get("/large.bin");
        assertThat(whole.body()).isEqualTo(LARGE);

        Response rest = get("/large.bin", "Range: bytes=5000000-", "If-Range: " + whole.header("etag"));
        assertThat(rest.status()).isEqualTo(206);
        assertThat(rest.body()).hasSize(LARGE.length - 5_000_000).endsWith(LARGE[LARGE.length - 1]);
        assertThat(store.residents()).isZero();
    }

    @Test
    void letsTheKernelSendALargeDocumentAndCutsItIfItChanges() throws Exception {
        restart(HttpSettings.DEFAULTS, true);
        assertThat(get("/large.bin").body()).isEqualTo(LARGE);
        assertThat(get("/large.bin", "Range: bytes=100-4999999").body())
                .isEqualTo(Arrays.copyOfRange(LARGE, 100, 5_000_000));
        Files.write(root.resolve("huge.bin"), new byte[32 << 20]);
        try (RawClient client = connect()) {
            client.request("GET", "/huge.bin");
            soon().until(() -> server.stats().responses() == 3);
            Files.write(root.resolve("huge.bin"), new byte[] {1}, StandardOpenOption.APPEND);

            assertThat(client.receive(true).body()).hasSizeLessThan(32 << 20);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret.txt",
                "/dir/../../secret.txt",
                "/%2e%2e/secret.txt",
                "/.%2e/secret.txt",
                "/..%2fsecret.txt",
                "/%2e%2e%2fsecret.txt",
                "/%252e%252e/secret.txt",
                "/..%5csecret.txt",
                "/..\\secret.txt",
                "//secret.txt",
                "/a.txt%00.html",
                "/%c0%ae%c0%ae/secret.txt",
                "/escape/secret.txt",
                "/escape/root/a.txt/../../../secret.txt",
                "http://x/../secret.txt",
                "file:///secret.txt",
                "/./../secret.txt",
                "/dir/..;/..;/secret.txt"
            })
    void neverLeavesTheDirectory(String target) throws IOException {
        Response response = get(target);

        assertThat(response.status()).isIn(400, 404);
        assertThat(response.text()).doesNotContain("secret");
    }

    @Test
    void servesTheNewContentWithANewTagAfterAChange() throws IOException {
        Files.writeString(root.resolve("changing.txt"), "0123456789");
        String before = get("/changing.txt").header("etag");
        Files.writeString(root.resolve("changing.txt"), "9876543210");

        Response after = get("/changing.txt", "If-None-Match: " + before);

        assertThat(after.status()).isEqualTo(200);
        assertThat(after.text()).isEqualTo("9876543210");
        assertThat(after.header("etag")).isNotEqualTo(before);
    }

    @Test
    void evictionDoesNotBreakResponsesUnderWay() throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            byte[] content = new byte[1_500_000];
            new Random(i).nextBytes(content);
            contents.add(content);
            Files.write(root.resolve(i + ".bin"), content);
        }
        try (RawClient slow = connect()) {
            slow.request("GET", "/0.bin");
            soon().until(() -> server.stats().responses() == 1);
            for (int i = 1; i < 6; i++) {
                assertThat(get("/" + i + ".bin").body()).isEqualTo(contents.get(i));
            }
            assertThat(store.stats().evictions()).isPositive();

            assertThat(slow.receive(true).body()).isEqualTo(contents.get(0));
        }
    }
}
