// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.store.Document;
import io.albm.cache.store.Identity;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The books against what the collector finds. */
class HeapBytesTest {
    private static final long ENOUGH = 64 << 20;

    private final StoreStats.Counters counters = (name, help, tags) -> new LongAdder();

    /** After as many collections as find anything. */
    private static long used() {
        long before;
        long used = Long.MAX_VALUE;
        do {
            before = used;
            System.gc();
            used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        } while (used < before);
        return used;
    }

    /**
     * What other tests left behind may be collected at any time: so the heap is looked at before and after.
     *
     * @param before used without the responses
     * @param full used with them
     * @param booked for them by the books
     */
    private record Filled(long before, long full, long booked) {}

    @ParameterizedTest
    @CsvSource({"1, 0, false", "10, 40, false", "10, 40, true", "100, 1, false", "2, 2000, true"})
    void estimatesFromAbove(int lines, int characters, boolean varies) {
        Filled filled = fill(lines, characters, varies);
        long heldAtLeast = filled.full() - filled.before();
        long heldAtMost = filled.full() - used();

        assertThat(filled.booked()).isBetween(heldAtLeast, 3 * heldAtMost);
    }

    /** Nothing is left of the cache when this returns. */
    private Filled fill(int lines, int characters, boolean varies) {
        try (ResponseCache cache = new ResponseCache(
                new StoreSettings(1L << 30, "window-aware", 64, 1, 0, Duration.ZERO, Duration.ZERO),
                new StoreStats(counters),
                new OriginStats(counters),
                () -> 0)) {
            store(cache, -1, lines, characters, varies);
            long before = used();
            int number = 0;
            while (cache.balance().heap() < ENOUGH) {
                store(cache, number++, lines, characters, varies);
            }
            long full = used();
            assertThat(cache.size()).isEqualTo(number + 1);
            return new Filled(before, full, cache.balance().heap());
        }
    }

    private static void store(ResponseCache cache, int number, int lines, int characters, boolean varies) {
        String target = "/" + number + "-" + "n".repeat(characters);
        FieldList request = FieldList.of("X-Kind", "k".repeat(characters) + number);
        FieldList fields = FieldList.of("Cache-Control", "max-age=60, public").plus("Date", "d" + number);
        if (varies) {
            fields = fields.plus("Vary", "X-Kind");
        }
        for (int line = 0; line < lines; line++) {
            fields = fields.plus("X-" + line, "v".repeat(characters) + line);
        }
        StoredHead head = StoredHead.of(new Reply(200, "OK " + number, fields), Instant.now(), Instant.now());
        ByteBuf memory = Unpooled.wrappedBuffer(new byte[1]);
        assertThat(cache.ledger().tryReserve(1)).isTrue();
        Document document = new Document(new Identity(0, "", Instant.EPOCH), 1, memory, cache.ledger());
        CacheRequest asked = new CacheRequest("GET", "www.example.org", target, request, false);
        Errands.Errand errand = cache.begins(asked.uri());
        cache.store(asked, head, document, null, errand).release();
        cache.ends(errand);
    }
}
