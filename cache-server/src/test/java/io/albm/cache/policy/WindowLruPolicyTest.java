// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked example of paper P2: cache A B C D E, most recently used first, and the window F, C, G, E. */
class WindowLruPolicyTest {

    private static final List<String> WINDOW = List.of("F", "C", "G", "E");

    private final SchedulingWindow<String> window = new SchedulingWindow<>(1024);
    private final PolicyContext<String> fivePlaces = new PolicyContext<>(5, window);

    @Test
    void movesWaitingDocumentsToTheFrontBeforeServing() {
        WindowLruPolicy<String> policy = fill(new WindowLruPolicy<>(fivePlaces));

        WINDOW.forEach(policy::arrived);

        assertThat(policy.mostRecentFirst()).containsExactly("E", "C", "A", "B", "D");
    }

    @Test
    void missesTwiceOnThePapersWindow() {
        WindowLruPolicy<String> policy = fill(new WindowLruPolicy<>(fivePlaces));

        WINDOW.forEach(policy::arrived);

        assertThat(serve(policy)).containsExactly("F", "G");
    }

    @Test
    void plainLruMissesThreeTimesOnThePapersWindow() {
        LruPolicy<String> policy = fill(new LruPolicy<>(fivePlaces));

        WINDOW.forEach(policy::arrived);

        assertThat(policy.mostRecentFirst()).containsExactly("A", "B", "C", "D", "E");
        assertThat(serve(policy)).containsExactly("F", "G", "E");
    }

    @Test
    void arrivalOfAnUncachedDocumentChangesNothing() {
        WindowLruPolicy<String> policy = fill(new WindowLruPolicy<>(fivePlaces));

        policy.arrived("F");

        assertThat(policy.mostRecentFirst()).containsExactly("A", "B", "C", "D", "E");
    }

    private static <P extends EvictionPolicy<String>> P fill(P policy) {
        List.of("E", "D", "C", "B", "A").forEach(key -> policy.admit(key, 1, victim -> {}));
        return policy;
    }

    private static List<String> serve(EvictionPolicy<String> policy) {
        return WINDOW.stream().filter(key -> misses(policy, key)).toList();
    }

    private static boolean misses(EvictionPolicy<String> policy, String key) {
        if (policy.isResident(key)) {
            policy.served(key);
            return false;
        }
        return policy.admit(key, 1, victim -> {});
    }
}
