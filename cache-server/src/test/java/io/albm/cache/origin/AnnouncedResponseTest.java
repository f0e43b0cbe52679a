// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
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

    @Test
    void areKeptFromTheOrigin() {
        FieldList fields = FieldList.of("Albm-Waiting", "\"/a\"", "Accept", "x");

        assertThat(HopFields.removed(fields)).isEqualTo(FieldList.of("Accept", "x"));
    }
}
