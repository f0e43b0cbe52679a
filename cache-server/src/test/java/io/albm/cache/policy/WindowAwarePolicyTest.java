// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowAwarePolicyTest {

    private final SchedulingWindow<String> window = new SchedulingWindow<>(1024);
    private final List<String> victims = new ArrayList<>();

    private WindowAwarePolicy<String> policy(long capacityBytes) {
        return new WindowAwarePolicy<>(new PolicyContext<>(capacityBytes, window));
    }

    /** One request for a document, from arrival to answer, as an owner does it. */
    private boolean request(WindowAwarePolicy<String> policy, String key, long bytes) {
        SchedulingWindow.Ticket<String> ticket = arrive(policy, key);
        return answer(policy, ticket, key, bytes);
    }

    private SchedulingWindow.Ticket<String> arrive(WindowAwarePolicy<String> policy, String key) {
        SchedulingWindow.Ticket<String> ticket = window.enter(key);
        policy.arrived(key);
        return ticket;
    }

    private boolean answer(
            WindowAwarePolicy<String> policy, SchedulingWindow.Ticket<String> ticket, String key, long bytes) {
        window.leave(ticket);
        boolean hit = policy.isResident(key);
        if (hit) {
            policy.served(key);
        } else {
            policy.admit(key, bytes, victims::add);
        }
        return hit;
    }

    @Test
    void keepsWhatAWaitingRequestWantsThoughItIsTheOldest() {
        WindowAwarePolicy<String> policy = policy(3);
        request(policy, "old", 1);
        for (int i = 0; i < 50; i++) {
            request(policy, "a", 1);
            request(policy, "b", 1);
        }
        arrive(policy, "new");
        arrive(policy, "new");
        arrive(policy, "old");

        policy.admit("new", 1, victims::add);

        assertThat(victims).hasSize(1).doesNotContain("old");
    }

    @Test
    void evictsTheOldestOnceNobodyWaitsForIt() {
        WindowAwarePolicy<String> policy = policy(3);
        request(policy, "old", 1);
        for (int i = 0; i < 50; i++) {
            request(policy, "a", 1);
            request(policy, "b", 1);
        }
        arrive(policy, "new");

        policy.admit("new", 1, victims::add);

        assertThat(victims).containsExactly("old");
    }

    @Test
    void keepsWhatADistributorAnnouncesThoughItIsTheOldest() {
        SchedulingWindow<String> wide = new SchedulingWindow<>(1024, 5);
        WindowAwarePolicy<String> policy = oldAndTenInTurns(wide);
        wide.announce("old", 0);
        policy.arrived("old");
        wide.enter("new");

        assertThat(policy.admit("new", 1, victims::add)).isTrue();

        assertThat(victims).hasSize(1).doesNotContain("old");
    }

    @Test
    void evictsWhatWasAnnouncedOnceThatIsForgotten() {
        SchedulingWindow<String> wide = new SchedulingWindow<>(1024, 5);
        WindowAwarePolicy<String> policy = oldAndTenInTurns(wide);
        wide.announce("old", 0);
        policy.arrived("old");
        wide.expire(AnnouncedRequests.BELIEVED.toNanos() + 1);
        wide.enter("new");

        policy.admit("new", 1, victims::add);

        assertThat(victims).containsExactly("old");
    }

    private WindowAwarePolicy<String> oldAndTenInTurns(SchedulingWindow<String> wide) {
        WindowAwarePolicy<String> policy = new WindowAwarePolicy<>(new PolicyContext<>(11, wide));
        for (int i = 0; i < 500; i++) {
            String key = i == 0 ? "old" : "turn-" + i % 10;
            wide.pass(key);
            if (policy.isResident(key)) {
                policy.served(key);
            } else {
                policy.admit(key, 1, victims::add);
            }
        }
        assertThat(victims).isEmpty();
        return policy;
    }

    @Test
    void refusesANewcomerThatIsWorseThanEveryResident() {
        WindowAwarePolicy<String> policy = policy(100);
        for (int i = 0; i < 100; i++) {
            request(policy, "small-" + i % 10, 10);
        }

        assertThat(request(policy, "huge", 100)).isFalse();

        assertThat(policy.isResident("huge")).isFalse();
        assertThat(victims).isEmpty();
        assertThat(policy.residents()).isEqualTo(10);
    }

    @Test
    void knowsTheWindowAsADistanceAndNotAsAPin() {
        WindowAwarePolicy<String> policy = policy(1000);
        request(policy, "large", 991);
        for (int i = 0; i < 200; i++) {
            request(policy, "small-" + i % 9, 1);
        }
        for (int i = 0; i < 100; i++) {
            arrive(policy, "small-" + i % 9);
        }
        arrive(policy, "large");
        arrive(policy, "wanted");

        assertThat(policy.admit("wanted", 1, victims::add)).isTrue();

        assertThat(victims).containsExactly("large");
    }

    @Test
    void sparesVictimsThatALargerOneMadeNeedless() {
        WindowAwarePolicy<String> policy = policy(100);
        request(policy, "large", 60);
        request(policy, "middle", 40);
        for (int i = 0; i < 40; i++) {
            policy.served("middle");
        }
        arrive(policy, "new");
        arrive(policy, "new");

        policy.admit("new", 50, victims::add);

        assertThat(victims).containsExactly("large");
        assertThat(policy.isResident("middle")).isTrue();
    }

    @Test
    void remembersAtMostTwiceAsManyEvictedAsResidentDocuments() {
        KnownDocuments<Integer> documents = new KnownDocuments<>(0, key -> 0);
        for (int key = 0; key < 1000; key++) {
            Known<Integer> known = documents.recall(key);
            documents.admit(known);
            if (documents.residents() > 50) {
                documents.evict(documents.at(0));
            }
            documents.trim();
            assertThat(documents.size()).isLessThanOrEqualTo(3 * 50 + 2);
        }
        assertThat(documents.residents()).isEqualTo(50);
        assertThat(documents.size()).isEqualTo(150);
        assertThat(documents.find(0)).isNull();
    }

    @Test
    void remembersEvictedDocumentsByNamesOfAtMostTwiceAsManyBytesAsResidentOnesHave() {
        KnownDocuments<String> documents = new KnownDocuments<>(0, String::length);
        for (int key = 0; key < 10; key++) {
            documents.admit(documents.recall("resident".repeat(500) + key));
        }
        for (int key = 0; key < 100; key++) {
            documents.recall("another".repeat(3000) + key);
            documents.trim();
        }

        assertThat(documents.residents()).isEqualTo(10);
        assertThat(documents.size()).isEqualTo(10 + 3);
        assertThat(documents.find("another".repeat(3000) + 99)).isNotNull();
    }

    @Test
    void learnsThatDocumentsAskedForOnceDoNotComeBack() {
        WindowAwarePolicy<String> policy = policy(20);
        int hits = 0;
        for (int i = 0; i < 20_000; i++) {
            hits += request(policy, i % 2 == 0 ? "once-" + i : "again-" + i / 2 % 20, 1) ? 1 : 0;
        }

        assertThat(hits).isGreaterThan(9_000);
    }

    @Test
    void keepsPartOfALoopThatDoesNotFit() {
        WindowAwarePolicy<String> policy = policy(50);
        int hits = 0;
        for (int i = 0; i < 20_000; i++) {
            hits += request(policy, "loop-" + i % 100, 1) ? 1 : 0;
        }

        assertThat(hits).isGreaterThan(8_000);
    }

    @Test
    void triesForReadTimeWhenReadsCostByTheByte() {
        PolicyContext<String> byBytes = new PolicyContext<>(100, window, bytes -> bytes);
        WindowAwarePolicy<String> policy = new WindowAwarePolicy<>(byBytes);
        for (int i = 0; i < 200; i++) {
            request(policy, "large", 80);
            request(policy, "rare-" + i % 10, 20);
        }

        assertThat(policy.isResident("large")).isTrue();
    }

    @Test
    void costsOfOneObjectTryForObjectHits() {
        WindowAwarePolicy<String> policy = policy(100);
        for (int i = 0; i < 200; i++) {
            request(policy, "large", 80);
            request(policy, "rare-" + i % 5, 20);
        }

        assertThat(policy.isResident("large")).isFalse();
    }
}
