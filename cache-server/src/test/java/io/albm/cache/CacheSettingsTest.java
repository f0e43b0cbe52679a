// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.policy.MeasuredReadCost.Objective;
import io.albm.cache.store.MemoryBounds;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.Resident;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.ResidentSet;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.node.NodeId;
import io.albm.core.topology.Mistake;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class CacheSettingsTest {

    private static final long START = 10 << 20;

    private final StoreStats stats = new StoreStats((name, help, tags) -> new LongAdder());
    private final MemoryLedger ledger = new MemoryLedger(new MemoryBounds(START));
    private final ResidentControl<String> control = new ResidentControl<>(
            new Object(),
            new ResidentSet<String, Resident>(
                    new StoreSettings(START, "lru", 1, 1, 0, Duration.ZERO, Duration.ZERO), ledger, stats, () -> 0),
            ledger,
            Duration.ZERO,
            stats);
    private final CacheSettings settings =
            new CacheSettings(new NodeId("cache-1"), control, START, "lru", Objective.OBJECT_HITS);

    @Test
    void putsItsOwnSettingsBeforeThoseOfAllAndGoesBackToTheStart() {
        assertThat(settings.change(Map.of("capacity", "20 MiB", "cache-1.capacity", "5 MiB", "policy", "window-lru")))
                .isEmpty();
        assertThat(settings.change(Map.of(
                        "objective",
                        "read-time",
                        "capacity",
                        "20 MiB",
                        "cache-1.capacity",
                        "5 MiB",
                        "policy",
                        "window-lru")))
                .isEmpty();
        assertThat(control.objective()).isEqualTo(Objective.READ_TIME);
        assertThat(ledger.bounds().residentBytes()).isEqualTo(5 << 20);
        assertThat(control.policy()).isEqualTo("window-lru");

        assertThat(settings.change(Map.of("cache-2.capacity", "1 MiB"))).isEmpty();
        assertThat(ledger.bounds().residentBytes()).isEqualTo(START);
        assertThat(control.policy()).isEqualTo("lru");
    }

    @Test
    void namesEveryMistakeAndChangesNothing() {
        assertThat(settings.change(Map.of("capcity", "1", "capacity", "much", "policy", "lur")))
                .extracting(Mistake::toString)
                .satisfiesExactlyInAnyOrder(
                        unknown -> assertThat(unknown).contains("capcity: no such setting", "capacity"),
                        size -> assertThat(size).contains("capacity: 'much'"),
                        policy -> assertThat(policy).contains("policy: 'lur': expected one of", "lru"));
        assertThat(settings.change(Map.of("objective", "bytes")))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake.text()).contains("'bytes'", "object-hits, read-time"));
        assertThat(settings.change(Map.of("capacity", "512 GiB", "policy", "window-lru")))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake.text()).contains("direct memory"));
        assertThat(control.policy()).isEqualTo("lru");
        assertThat(ledger.bounds().residentBytes()).isEqualTo(START);
    }
}
