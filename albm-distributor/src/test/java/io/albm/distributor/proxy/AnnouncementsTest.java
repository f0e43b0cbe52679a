// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head.Progress;
import io.albm.core.http.RequestHead;
import io.albm.distributor.backend.Backend;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementsTest {
    private static final Backend ONE = Backend.WAIT;
    private static final Backend OTHER = Backend.FULL;

    private final Announcements announcements = new Announcements();

    @BeforeEach
    void enable() {
        announcements.enable(true);
    }

    private static RequestHead request(String line, String... headers) {
        var head = new RequestHead(32 << 10);
        String text = line + "\r\n" + String.join("\r\n", headers) + (headers.length > 0 ? "\r\n" : "") + "\r\n";
        assertThat(head.feed(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1)))
                .isEqualTo(Progress.COMPLETE);
        return head;
    }

    private static RequestHead get(String target) {
        return request("GET " + target + " HTTP/1.1", "Host: h");
    }

    private Announcement enter(String target) {
        return Objects.requireNonNull(announcements.enter(get(target)), target);
    }

    private String next(Backend to) {
        return next(to, get("/bearer"));
    }

    private String next(Backend to, RequestHead bearer) {
        return new String(announcements.next(to, bearer), StandardCharsets.US_ASCII);
    }

    @Test
    void tellsEachBackendOnceOfEachThatWaits() {
        enter("/a");
        enter("/b?c=1,2");

        assertThat(next(ONE)).isEqualTo("\"/a\", \"/b?c=1,2\"");
        assertThat(next(ONE)).isEmpty();
        enter("/d");
        assertThat(next(ONE)).isEqualTo("\"/d\"");
        assertThat(next(OTHER)).isEqualTo("\"/a\", \"/b?c=1,2\", \"/d\"");
    }

    @Test
    void tellsABackendAgainOfThoseWhoWaitStillIfItDidNotHear() {
        Announcement gone = enter("/a");
        long from = announcements.told(ONE);
        next(ONE);
        next(OTHER);
        enter("/b");
        announcements.leave(gone);
        enter("/c");
        next(ONE);

        announcements.unheard(ONE, from);

        assertThat(next(ONE)).isEqualTo("\"/b\", \"/c\"");
        assertThat(next(ONE)).isEmpty();
        assertThat(next(OTHER)).isEqualTo("\"/b\", \"/c\"");
    }

    @Test
    void isSilentOfThoseWhoWaitNoMore() {
        Announcement gone = enter("/a");
        enter("/b");
        announcements.leave(gone);

        assertThat(next(ONE)).isEqualTo("\"/b\"");
    }

    @Test
    void namesAHostThatIsNotTheBearersOwn() {
        announcements.enter(request("GET http://other:81/a HTTP/1.1", "Host: h"));
        announcements.enter(request("GET /b HTTP/1.0"));
        enter("/c");

        assertThat(next(ONE)).isEqualTo("\"//other:81/a\", \"/b\", \"/c\"");
        assertThat(next(OTHER, request("GET /x HTTP/1.1", "Host: other:81"))).isEqualTo("\"/a\", \"/b\", \"//h/c\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /a HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "GET /a\"b HTTP/1.1",
                "GET /a\\b HTTP/1.1",
                "GET //x/a HTTP/1.1"
            })
    void isSilentOfWhatNamesNoDocumentSafely(String line) {
        assertThat(announcements.enter(request(line, "Host: h"))).isNull();
        assertThat(next(ONE)).isEmpty();
    }

    @Test
    void isSilentOfWhatIsTooLong() {
        int host = "//h".length();
        enter("/" + "x".repeat(Announcement.MOST_BYTES - host - 1));

        assertThat(announcements.enter(get("/" + "x".repeat(Announcement.MOST_BYTES - host))))
                .isNull();
    }

    @Test
    void tellsNoMoreAtOnceThanItsBounds() {
        for (int i = 0; i < 2 * Announcements.MOST_AT_ONCE; i++) {
            enter("/" + i);
        }
        assertThat(next(ONE).split(", ")).hasSize(Announcements.MOST_AT_ONCE);
        assertThat(next(ONE).split(", ")).hasSize(Announcements.MOST_AT_ONCE).contains("\"/31\"");

        for (int i = 0; i < 10; i++) {
            enter("/" + "x".repeat(Announcement.MOST_BYTES - 5) + i);
        }
        List<String> all = new ArrayList<>();
        for (String list = next(ONE); !list.isEmpty(); list = next(ONE)) {
            assertThat(list).hasSizeLessThanOrEqualTo(Announcements.MOST_BYTES);
            all.addAll(List.of(list.split(", ")));
        }
        assertThat(all).hasSize(10);
    }

    @Test
    void remembersABoundedNumber() {
        for (int i = 0; i < Announcements.KEPT + 1; i++) {
            enter("/" + i);
        }

        assertThat(next(ONE)).startsWith("\"/1\", \"/2\"");
    }

    @Test
    void sparesABackendWhoseHeadWouldGrowTooLarge() {
        enter("/a");

        RequestHead large = request("GET / HTTP/1.1", "Host: h", "X: " + "x".repeat(Announcements.LARGEST_BEARER));

        assertThat(next(ONE, large)).isEmpty();
        assertThat(next(ONE)).isEqualTo("\"/a\"");
    }

    @Test
    void saysNothingUnlessEnabled() {
        enter("/a");
        announcements.enable(false);

        assertThat(announcements.enter(get("/b"))).isNull();
        assertThat(next(ONE)).isEmpty();
    }
}
