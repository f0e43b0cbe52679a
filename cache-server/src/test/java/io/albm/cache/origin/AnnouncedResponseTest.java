// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.store.Document;
import io.albm.cache.store.Identity;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that wait at a distributor, by the names of the responses that they want. */
class AnnouncedResponseTest {

    private static final Flight.Follower NOBODY = new Flight.Follower() {
        @Override
        public void landed(CachedResponse response) {
            response.release();
        }

        @Override
        public void dispersed() {}

        @Override
        public void stoodInFor(CachedResponse stored) {
            stored.release();
        }

        @Override
        public void failed(UpstreamFailure failure) {}
    };

    private final StoreStats.Counters counters = (name, help, tags) -> new LongAdder();
    private final ResponseCache cache = new ResponseCache(
            new StoreSettings(1 << 20, "window-aware", 64, 64, 1, 0, Duration.ZERO, Duration.ZERO),
            new StoreStats(counters),
            new OriginStats(counters),
            () -> 0);

    @AfterEach
    void close() {
        cache.close();
    }

    private static CacheRequest post() {
        return new CacheRequest("POST", "own:80", "/form", FieldList.of(), true);
    }

    private void comes(String authority, String target) {
        cache.consult(new CacheRequest("GET", authority, target, FieldList.of(), false), Instant.EPOCH, NOBODY);
    }

    @Test
    void waitUnderTheHostOfTheRequestThatBringsTheNews() {
        cache.announced(post().asGetOf(null, "/a?b"));
        comes("other:80", "/a?b");
        assertThat(cache.announcedOccupancy()).isEqualTo(1);

        comes("own:80", "/a?b");

        assertThat(cache.announcedOccupancy()).isZero();
        assertThat(cache.windowOccupancy()).isEqualTo(2);
    }

    @Test
    void waitUnderTheirOwnHostIfOneIsNamed() {
        cache.announced(post().asGetOf("OTHER:80", "/a"));
        comes("own:80", "/a");
        assertThat(cache.announcedOccupancy()).isEqualTo(1);

        comes("other:80", "/a");

        assertThat(cache.announcedOccupancy()).isZero();
    }

    private void isStored(String target, String... fields) {
        CacheRequest request = new CacheRequest("GET", "own:80", target, FieldList.of(), false);
        ByteBuf memory = Unpooled.wrappedBuffer(new byte[1]);
        assertThat(cache.ledger().tryReserve(1)).isTrue();
        Document document = new Document(new Identity(0, "", Instant.EPOCH), 1, memory, cache.ledger());
        cache.store(request, Replies.ok(fields), document, null, cache.begins(request.uri()))
                .release();
    }

    @Test
    void endOneByOneWhileAStoredResponseIsServedAndValidated() {
        isStored("/a", "Cache-Control", "max-age=1, stale-while-revalidate=60");
        cache.announced(post().asGetOf(null, "/a"));
        cache.announced(post().asGetOf(null, "/a"));

        Verdict verdict = cache.consult(
                new CacheRequest("GET", "own:80", "/a", FieldList.of(), false), Replies.NOW.plusSeconds(30), NOBODY);

        assertThat(verdict).isInstanceOfSatisfying(Verdict.Serve.class, served -> {
            assertThat(served.validation()).isNotNull();
            served.response().release();
        });
        assertThat(cache.announcedOccupancy()).isEqualTo(1);
        assertThat(cache.windowOccupancy()).isZero();
    }

    @Test
    void endOneByOneWhileAResponseIsWarmed() {
        cache.announced(post().asGetOf(null, "/a"));
        cache.announced(post().asGetOf(null, "/a"));

        CacheRequest warming = new CacheRequest("GET", "own:80", "/a", FieldList.of(), false);
        Verdict verdict = cache.consult(warming, Instant.EPOCH, NOBODY);
        cache.follow(((Verdict.Fetch) verdict).flight(), warming, NOBODY);

        assertThat(cache.announcedOccupancy()).isEqualTo(1);
        assertThat(cache.windowOccupancy()).isEqualTo(1);
        assertThat(cache.dismiss(((Verdict.Fetch) verdict).flight())).hasSize(1);
        assertThat(cache.windowOccupancy()).isZero();
    }

    @Test
    void areKeptFromTheOrigin() {
        FieldList fields = FieldList.of("Albm-Waiting", "\"/a\"", "Accept", "x");

        assertThat(HopFields.removed(fields)).isEqualTo(FieldList.of("Accept", "x"));
    }
}
