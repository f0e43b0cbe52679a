// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class S3FifoTest {
    private final Map<Integer, String> evicted = new HashMap<>();

    private S3Fifo<Integer, String> cache(long capacity, int ghosts) {
        return new S3Fifo<>(capacity, ghosts, evicted::put);
    }

    private static void use(S3Fifo<Integer, String> cache, int key) {
        if (cache.get(key) == null) {
            cache.put(key, "v" + key, 1);
        }
    }

    @Test
    void neverWeighsMoreThanItsCapacityAndLosesNothingUnseen() {
        S3Fifo<Integer, String> cache = cache(1000, 100);
        Map<Integer, String> expected = new HashMap<>();
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            int key = (int) Math.abs(random.nextGaussian() * 100);
            if (random.nextInt(20) == 0) {
                assertThat(cache.remove(key)).isEqualTo(expected.remove(key));
            } else if (expected.containsKey(key)) {
                assertThat(cache.get(key)).isEqualTo(expected.get(key));
            } else {
                assertThat(cache.get(key)).isNull();
                expected.put(key, "v" + i);
                cache.put(key, "v" + i, 1 + random.nextInt(60));
            }
            evicted.forEach((gone, value) -> assertThat(expected.remove(gone)).isEqualTo(value));
            evicted.clear();
            assertThat(cache.weight()).isBetween(0L, 1000L);
        }
        expected.keySet().forEach(cache::remove);
        assertThat(cache.weight()).isZero();
    }

    @Test
    void whatIsReadOnceDoesNotPushOutWhatIsReadAgainAndAgain() {
        S3Fifo<Integer, String> cache = cache(100, 100);
        for (int round = 0; round < 3; round++) {
            for (int key = 0; key < 80; key++) {
                use(cache, key);
            }
        }
        for (int key = 1000; key < 100_000; key++) {
            use(cache, key);
        }

        for (int key = 0; key < 80; key++) {
            assertThat(cache.get(key)).isEqualTo("v" + key);
        }
    }

    @Test
    void whoComesBackSoonAfterItWentStays() {
        S3Fifo<Integer, String> cache = cache(10, 100);
        for (int key = 0; key < 20; key++) {
            use(cache, key);
        }
        assertThat(evicted).containsKey(0);
        use(cache, 0);
        for (int key = 100; key < 200; key++) {
            use(cache, key);
        }

        assertThat(cache.get(0)).isEqualTo("v0");
    }

    @Test
    void whatIsNotAskedForAnyMoreGoes() {
        S3Fifo<Integer, String> cache = cache(100, 100);
        for (int round = 0; round < 5; round++) {
            for (int key = 0; key < 100; key++) {
                use(cache, key);
            }
        }
        for (int round = 0; round < 20; round++) {
            for (int key = 200; key < 300; key++) {
                use(cache, key);
            }
        }

        for (int key = 0; key < 100; key++) {
            assertThat(cache.get(key)).isNull();
        }
    }

    @Test
    void whatDoesNotFitAloneGoesAtOnceAndPushesNothingOut() {
        S3Fifo<Integer, String> cache = cache(100, 100);
        cache.put(1, "small", 60);
        cache.put(2, "large", 101);

        assertThat(evicted).containsExactly(Map.entry(2, "large"));
        assertThat(cache.get(1)).isEqualTo("small");
    }
}
