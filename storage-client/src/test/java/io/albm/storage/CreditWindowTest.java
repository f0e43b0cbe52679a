// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node whose answers the test gives. */
class CreditWindowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int KIB = 1024;

    private long now;
    private final List<Integer> asked = new ArrayList<>();
    private int first;
    private CompletableFuture<StorageReply.Granted> answer = new CompletableFuture<>();

    private final CreditWindow window = new CreditWindow(
            (bytes, first) -> {
                asked.add(bytes);
                this.first = first;
                answer = new CompletableFuture<>();
                return answer;
            },
            PATIENCE,
            () -> now);

    private void grant(long bytes) {
        answer.complete(new StorageReply.Granted(bytes, 0, 0));
    }

    private List<CompletableFuture<Void>> take(int count, int cost) {
        return IntStream.range(0, count).mapToObj(i -> window.take(cost)).toList();
    }

    private static long done(List<CompletableFuture<Void>> turns) {
        return turns.stream().filter(CompletableFuture::isDone).count();
    }

    @Test
    void asksForABlockAndThenForAllThatWaitMeanwhile() {
        List<CompletableFuture<Void>> turns = take(4, 100 * KIB);
        assertThat(asked).containsExactly(100 * KIB);
        grant(100 * KIB);
        assertThat(done(turns)).isEqualTo(1);
        assertThat(asked).containsExactly(100 * KIB, 300 * KIB);
        grant(300 * KIB);
        assertThat(done(turns)).isEqualTo(4);
        assertThat(asked).hasSize(2);
    }

    @Test
    void asksForTheNextBlockBeforeItSendsTheOneThatIsGranted() {
        List<Integer> askedBefore = new ArrayList<>();
        window.take(100 * KIB).thenRun(() -> askedBefore.addAll(asked));
        window.take(200 * KIB);
        grant(100 * KIB);
        assertThat(askedBefore).containsExactly(100 * KIB, 200 * KIB);
    }

    @Test
    void goesOnAskingWhenANodeGrantsTheFirstBlockAlone() {
        List<CompletableFuture<Void>> turns =
                Stream.of(100 * KIB, 200 * KIB, 300 * KIB).map(window::take).toList();
        grant(100 * KIB);
        assertThat(asked).containsExactly(100 * KIB, 500 * KIB);
        assertThat(first).isEqualTo(200 * KIB);
        grant(first);
        assertThat(done(turns)).isEqualTo(2);
        assertThat(asked).containsExactly(100 * KIB, 500 * KIB, 300 * KIB);
    }

    @Test
    void asksForAMebibyteAtATimeUnlessABlockTakesMore() {
        List<CompletableFuture<Void>> turns = take(4, 600 * KIB);
        window.take(5000 * KIB);
        grant(600 * KIB);
        grant(600 * KIB);
        grant(600 * KIB);
        grant(600 * KIB);
        assertThat(done(turns)).isEqualTo(4);
        assertThat(asked).containsExactly(600 * KIB, 600 * KIB, 600 * KIB, 600 * KIB, 5000 * KIB);
    }

    @Test
    void sendsWithoutAskingWhatItWasGrantedWithAnAnswer() {
        window.add(200 * KIB);
        assertThat(window.take(150 * KIB)).isCompleted();
        assertThat(asked).isEmpty();
        assertThat(window.take(51 * KIB)).isNotDone();
        assertThat(asked).containsExactly(51 * KIB);
    }

    @Test
    void letsBlocksThatWaitGoWithWhatAnAnswerBrings() {
        List<CompletableFuture<Void>> turns = take(2, 100 * KIB);
        window.add(100 * KIB);
        assertThat(done(turns)).isEqualTo(1);
        grant(100 * KIB);
        assertThat(done(turns)).isEqualTo(2);
    }

    @Test
    void letsNoSmallBlockGoBeforeALargeOneThatWaits() {
        CompletableFuture<Void> large = window.take(300 * KIB);
        CompletableFuture<Void> small = window.take(100 * KIB);
        window.add(200 * KIB);
        assertThat(small).isNotDone();
        window.add(200 * KIB);
        assertThat(large).isCompleted();
        assertThat(small).isCompleted();
    }

    @Test
    void doesNotUseWhatTheNodeMayHaveTakenBack() {
        window.add(100 * KIB);
        now += Credit.CLIENT_NANOS;
        assertThat(window.take(100 * KIB)).isNotDone();
        window.add(200 * KIB);
        window.forget();
        assertThat(window.take(100 * KIB)).isNotDone();
    }

    @Test
    void asksANodeThatServesOthersFirstForAsLongAsItTakes() {
        CompletableFuture<Void> turn = window.take(100 * KIB);
        for (int i = 0; i < 1000; i++) {
            answer.complete(new StorageReply.Granted(0, PATIENCE.toMillis() - 1, 0));
            assertThat(turn).isNotDone();
        }
        grant(100 * KIB);
        assertThat(turn).isCompleted();
    }

    @Test
    void givesUpANodeThatHasWrittenNothingForTooLong() {
        List<CompletableFuture<Void>> turns = take(3, 100 * KIB);
        answer.complete(new StorageReply.Granted(0, PATIENCE.toMillis(), 0));
        assertThat(turns)
                .allSatisfy(turn -> assertThat(turn)
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withMessageContaining("it has written nothing for 10000 ms"));
    }

    @Test
    void failsWhatWaitsForANodeThatDoesNotAnswerAndAsksAnewForWhatComesThen() {
        List<CompletableFuture<Void>> turns = take(3, 100 * KIB);
        answer.completeExceptionally(new WireException(WireCode.DEADLINE_EXCEEDED, "no answer"));
        assertThat(turns).allSatisfy(turn -> assertThat(turn).isCompletedExceptionally());
        assertThat(window.take(200 * KIB)).isNotDone();
        assertThat(asked).containsExactly(100 * KIB, 200 * KIB);
    }

    @Test
    void letsABoundedNumberOfBlocksWait() {
        take(CreditWindow.MOST_WAITING, KIB);
        assertThat(window.take(KIB)).isCompletedExceptionally();
        grant(KIB);
        assertThat(window.take(KIB)).isNotDone();
    }
}
