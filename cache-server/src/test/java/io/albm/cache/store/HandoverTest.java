// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.policy.EvictionPolicies;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A change of policy, step by step, with requests between the steps. */
class HandoverTest {

    private static final int CAPACITY = 1000;
    private static final int BYTES = 100;

    private record Kept(Document document, long requests) implements Resident {}

    private final MemoryLedger ledger = new MemoryLedger(new MemoryBounds(CAPACITY));
    private final ResidentSet<Integer, Kept> residents = new ResidentSet<>(
            new StoreSettings(CAPACITY, "lru", 64, 1, 1, Duration.ZERO, Duration.ZERO),
            ledger,
            new StoreStats((name, help, tags) -> new LongAdder()),
            () -> 0);

    @AfterEach
    void leavesNoByteBehind() {
        residents.close();
        assertThat(ledger.balance().resident() + ledger.balance().transit()).isZero();
    }

    private void admit(int key, long requests) {
        assertThat(ledger.tryReserve(BYTES)).isTrue();
        var document = new Document(
                new Identity(BYTES, "\"tag\"", Instant.EPOCH), 0, Unpooled.wrappedBuffer(new byte[BYTES]), ledger);
        residents.admit(key, new Kept(document, requests));
        document.release();
    }

    private void request(int key) {
        var ticket = residents.arrives(key);
        residents.leaves(ticket);
        if (residents.get(key) == null) {
            admit(key, 0);
        } else {
            residents.served(key);
        }
    }

    private void drop(int key) {
        Kept kept = residents.get(key);
        if (kept != null && ledger.tryReserve(BYTES)) {
            residents.drop(key, kept);
        }
    }

    @Test
    void leavesTheOldPolicyInChargeUntilAllHaveMoved() {
        for (int key = 0; key < 10; key++) {
            admit(key, 0);
        }
        residents.handOver("size").sort();

        assertThat(residents.move(4)).isFalse();
        assertThat(residents.policy()).isEqualTo("lru");
        request(0);
        request(10);
        assertThat(residents.get(0)).isNotNull();
        assertThat(residents.get(1)).isNull();

        assertThat(residents.move(100)).isTrue();
        assertThat(residents.policy()).isEqualTo("size");
        assertThat(residents.size()).isEqualTo(10);
    }

    @Test
    void movesHowOftenDocumentsWereAskedFor() {
        for (int key = 0; key < 10; key++) {
            admit(key, key == 0 ? 100 : 1);
        }
        residents.handOver("gdsf").sort();
        assertThat(residents.move(100)).isTrue();

        for (int key = 10; key < 19; key++) {
            admit(key, 0);
        }

        assertThat(residents.get(0)).isNotNull();
    }

    static Iterable<String> names() {
        return EvictionPolicies.names();
    }

    /** The next policy would refuse or evict what the set does not have, and that would throw. */
    @ParameterizedTest
    @MethodSource("names")
    void endsWithExactlyWhatIsKept(String name) {
        var random = new Random(5);
        for (int change = 0; change < 50; change++) {
            residents.handOver(name).sort();
            while (!residents.move(3 + random.nextInt(3))) {
                for (int i = random.nextInt(3); i > 0; i--) {
                    request(random.nextInt(30));
                }
                drop(random.nextInt(30));
            }
            assertThat(residents.policy()).isEqualTo(name);
            assertThat(ledger.balance().resident()).isEqualTo((long) BYTES * residents.size());
            for (int i = 0; i < 40; i++) {
                request(random.nextInt(30));
            }
        }
    }
}
