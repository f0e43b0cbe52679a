// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.albm.storage.Credit;
import io.albm.storage.Sender;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CreditDeskTest {
    private static final int MIB = 1 << 20;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Sender A = new Sender(1, false);
    private static final Sender B = new Sender(2, false);
    private static final Sender C = new Sender(3, false);
    private static final Sender REBUILD = new Sender(4, true);

    /** Near the end of the numbers: they may overflow. */
    private long now = Long.MAX_VALUE - SECOND;

    private final CreditCounters counters = new CreditCounters();
    private final CreditDesk desk = new CreditDesk(16 * MIB, counters);

    private List<CreditDesk.Grant> ask(Sender sender, int bytes) {
        desk.ask(sender, bytes, bytes, now);
        return desk.grants(now);
    }

    private static CreditDesk.Grant grant(Sender sender, int bytes) {
        return new CreditDesk.Grant(sender, bytes, 0);
    }

    private static List<Sender> senders(List<CreditDesk.Grant> grants) {
        return grants.stream().map(CreditDesk.Grant::sender).toList();
    }

    private void take(Sender sender, int bytes) {
        assertThat(ask(sender, bytes)).containsExactly(grant(sender, bytes));
        assertThat(desk.begin(sender, bytes, now)).isTrue();
    }

    /** All of a block comes that was granted. */
    private void send(Sender sender, int bytes) {
        assertThat(desk.begin(sender, bytes, now)).isTrue();
        desk.arrived(sender, bytes);
    }

    /** A has a block to send in a second, and waits for the next one; for so many seconds there is a rate. */
    private void askForASecondBlock(int seconds) {
        desk.pace(new WriteRate(MIB, 1, 0, Duration.ofSeconds(seconds)), now);
        assertThat(ask(A, MIB)).hasSize(1);
        assertThat(ask(A, MIB)).isEmpty();
    }

    private List<CreditDesk.Grant> end(Sender sender, int bytes) {
        desk.end(sender, bytes, now);
        return desk.grants(now);
    }

    @Test
    void grantsWhatFitsAndTheRestWhenItHasRoom() {
        take(A, 10 * MIB);
        assertThat(ask(B, 7 * MIB)).isEmpty();
        assertThat(end(A, 10 * MIB)).containsExactly(grant(B, 7 * MIB));
    }

    @Test
    void letsNobodyPassWhoWantsLess() {
        take(A, 10 * MIB);
        assertThat(ask(B, 7 * MIB)).isEmpty();
        assertThat(ask(C, MIB)).as("there is room for it").isEmpty();
        assertThat(end(A, 10 * MIB)).contains(grant(B, 7 * MIB), grant(C, MIB));
    }

    /** Senders that always want more, and a disk that writes one block after the other. @return bytes that each was granted */
    private Map<Sender, Integer> writeBlocks(int blocks, Map<Sender, Integer> senders) {
        Map<Sender, Integer> granted = new HashMap<>();
        Deque<CreditDesk.Grant> memory = new ArrayDeque<>();
        senders.forEach((sender, bytes) -> desk.ask(sender, bytes, bytes, now));
        for (int i = 0; i < blocks; i++) {
            for (List<CreditDesk.Grant> grants = desk.grants(now); !grants.isEmpty(); grants = desk.grants(now)) {
                for (CreditDesk.Grant grant : grants) {
                    assertThat(desk.begin(grant.sender(), grant.bytes(), now)).isTrue();
                    memory.add(grant);
                    granted.merge(grant.sender(), grant.bytes(), Integer::sum);
                    desk.ask(grant.sender(), grant.bytes(), grant.bytes(), now);
                }
            }
            CreditDesk.Grant written = memory.remove();
            desk.end(written.sender(), written.bytes(), now);
        }
        return granted;
    }

    @Test
    void grantsEachAsMuchAsTheOthersWhateverTheyAskForAtATime() {
        Map<Sender, Integer> wants = new HashMap<>(Map.of(A, 4 * MIB, B, MIB / 4));
        for (int id = 10; id < 30; id++) {
            wants.put(new Sender(id, false), MIB);
        }
        Map<Sender, Integer> granted = writeBlocks(2000, wants);
        int usual = granted.getOrDefault(new Sender(10, false), 0);
        assertThat(granted.get(A)).isCloseTo(usual, within(4 * MIB));
        assertThat(granted.get(B)).as("as often as the others").isCloseTo(usual / 4, within(MIB));
    }

    @Test
    void grantsBackgroundWorkAFifthWhileOthersWait() {
        Map<Sender, Integer> granted = writeBlocks(500, Map.of(A, MIB, B, MIB, REBUILD, MIB));
        int all = granted.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(granted.get(REBUILD)).isCloseTo(all / 5, within(4 * MIB));
    }

    @Test
    void grantsBackgroundWorkItsTurnWhateverItsBlocksTake() {
        Map<Sender, Integer> granted = writeBlocks(500, Map.of(A, MIB, REBUILD, 16 * MIB));
        assertThat(granted).containsKey(REBUILD);
    }

    @Test
    void takesABlockWithoutCreditOnlyWhileThereIsPlentyAndNobodyWaits() {
        assertThat(desk.begin(A, 4 * MIB, now)).isTrue();
        assertThat(desk.begin(A, MIB, now)).as("beyond a quarter").isFalse();
        assertThat(counters.refused().sum()).isEqualTo(1);
        desk.end(A, 4 * MIB, now);
        take(B, 3 * MIB);
        desk.ask(C, 14 * MIB, 14 * MIB, now);
        assertThat(desk.begin(A, MIB, now)).as("while another one waits").isFalse();
    }

    @Test
    void grantsAheadWhileNobodyWaits() {
        take(A, MIB);
        desk.end(A, MIB, now);
        assertThat(desk.ahead(A, MIB, now)).isEqualTo(MIB);
        assertThat(desk.begin(A, MIB, now)).isTrue();
        take(B, 15 * MIB);
        assertThat(ask(C, MIB)).isEmpty();
        desk.end(A, MIB, now);
        assertThat(desk.ahead(A, MIB, now)).as("while another one waits").isZero();
        assertThat(desk.grants(now)).containsExactly(grant(C, MIB));
    }

    @Test
    void hasAtMostHalfOfItsMemoryOutThatNobodyUses() {
        take(A, 16 * MIB);
        int ahead = 0;
        for (int i = 0; i < 16; i++) {
            desk.end(A, MIB, now);
            ahead += desk.ahead(A, MIB, now);
        }
        assertThat(ahead).isEqualTo(8 * MIB);
    }

    @Test
    void takesBackWhatIsNotUsedInTime() {
        assertThat(ask(A, 16 * MIB)).hasSize(1);
        assertThat(ask(B, MIB)).isEmpty();
        now += Credit.NODE_NANOS - 1;
        desk.expire(now);
        assertThat(ask(B, MIB)).isEmpty();
        now++;
        desk.expire(now);
        assertThat(desk.grants(now)).containsExactly(grant(B, MIB));
        assertThat(desk.begin(A, 16 * MIB, now)).as("with what is over").isFalse();
        assertThat(counters.expired().sum()).isEqualTo(16 * MIB);
    }

    @Test
    void takesBackWhatASenderHasThatLeaves() {
        assertThat(ask(A, 16 * MIB)).hasSize(1);
        assertThat(ask(B, MIB)).isEmpty();
        assertThat(ask(C, MIB)).isEmpty();
        desk.leave(B, now);
        desk.leave(A, now);
        assertThat(desk.grants(now)).containsExactly(grant(C, MIB));
    }

    @Test
    void keepsThePlaceOfASenderBetweenTwoCalls() {
        take(A, 16 * MIB);
        desk.ask(B, MIB, MIB, now);
        desk.ask(C, MIB, MIB, now);
        desk.pause(B, now);
        desk.ask(B, MIB, MIB, now);
        assertThat(end(A, MIB)).containsExactly(grant(B, MIB));
        assertThat(end(A, MIB)).containsExactly(grant(C, MIB));
    }

    @Test
    void grantsNothingToWhoWouldNotHearOfItAndForgetsHimSoon() {
        take(A, 16 * MIB);
        desk.ask(B, MIB, MIB, now);
        desk.pause(B, now);
        assertThat(end(A, 16 * MIB)).isEmpty();
        assertThat(desk.status(now).waiting()).isEqualTo(1);
        now += CreditQueue.PLACE_NANOS;
        desk.expire(now);
        assertThat(desk.status(now).waiting()).isZero();
    }

    @Test
    void givesBackgroundWorkAQuarterOfTheMemoryAtMost() {
        take(REBUILD, 4 * MIB);
        assertThat(ask(REBUILD, MIB)).isEmpty();
        assertThat(ask(A, 12 * MIB)).as("which waits for its own blocks only").hasSize(1);
        assertThat(end(REBUILD, 4 * MIB)).containsExactly(grant(REBUILD, MIB));
    }

    @Test
    void letsABlockOfBackgroundWorkInThatIsMoreThanItsShare() {
        take(REBUILD, 16 * MIB);
    }

    @Test
    void sharesARateAmongThoseWhoWait() {
        desk.pace(new WriteRate(16 * MIB, 1, 0, Duration.ofSeconds(60)), now);
        assertThat(desk.status(now).bytesPerSecond()).isEqualTo(16 * MIB);
        desk.ask(A, MIB, MIB, now);
        desk.ask(B, MIB, MIB, now);
        assertThat(desk.grants(now))
                .extracting(CreditDesk.Grant::sender, grant -> grant.bytesPerSecond() / MIB)
                .as("with three hundredths to catch up")
                .containsExactly(tuple(A, 8L), tuple(B, 8L));
        assertThat(ask(C, MIB)).isEmpty();
        assertThat(desk.nanosToTurn(now)).isBetween(SECOND / 8 - SECOND / 500, SECOND / 8);
        now += SECOND / 8;
        assertThat(desk.grants(now)).hasSize(1);
    }

    @Test
    void takesASendersFirstBlockAtARateForThatOfOneOfAllWhoWillCome() {
        WriteRate rate = new WriteRate(16 * MIB, 4, 0, Duration.ofSeconds(60));
        for (int drain = 0; drain < 2; drain++) {
            desk.pace(rate, now);
            assertThat(ask(A, MIB)).containsExactly(new CreditDesk.Grant(A, MIB, (long) (1.03 * 4 * MIB)));
            send(A, MIB);
            now += SECOND / 4;
            assertThat(ask(A, MIB)).containsExactly(new CreditDesk.Grant(A, MIB, (long) (1.03 * 16 * MIB)));
            send(A, MIB);
            desk.pace(new WriteRate(0, 1, 0, Duration.ofSeconds(60)), now);
        }
    }

    @Test
    void tellsNobodyToBeSoSlowThatItsBlockWouldBeTakenForLost() {
        desk.pace(new WriteRate(1, 1, 0, Duration.ofSeconds(60)), now);
        assertThat(ask(A, MIB)).containsExactly(new CreditDesk.Grant(A, MIB, MIB));
    }

    @Test
    void grantsOneBlockInATurnWhileThereIsARateAndSaysWhichRate() {
        desk.pace(new WriteRate(MIB, 1, 0, Duration.ofSeconds(1)), now);
        desk.ask(A, 4 * MIB, MIB / 2, now);
        assertThat(desk.grants(now)).containsExactly(new CreditDesk.Grant(A, MIB / 2, (long) (1.03 * MIB)));
        send(A, MIB / 2);
        now += SECOND;
        desk.ask(A, 4 * MIB, MIB / 2, now);
        assertThat(desk.grants(now)).as("when it is over").containsExactly(grant(A, 4 * MIB));
    }

    @Test
    void grantsNothingAheadToWhoHasToAskAtWhichRate() {
        desk.pace(new WriteRate(MIB, 1, 0, Duration.ofSeconds(1)), now);
        desk.ask(A, MIB, MIB, now);
        assertThat(desk.grants(now)).hasSize(1);
        assertThat(desk.begin(A, MIB, now)).isTrue();
        now += SECOND;
        desk.end(A, MIB, now);
        assertThat(desk.ahead(A, MIB, now)).as("it would go on at the rate").isZero();
        take(A, MIB);
        desk.end(A, MIB, now);
        assertThat(desk.ahead(A, MIB, now)).isEqualTo(MIB);
    }

    @Test
    void forgetsARateThatNobodyHasSetAnew() {
        desk.pace(new WriteRate(1, 1, 0, Duration.ofSeconds(10)), now);
        assertThat(ask(A, MIB)).hasSize(1);
        assertThat(ask(B, MIB)).isEmpty();
        assertThat(desk.nanosToTurn(now)).isEqualTo(10 * SECOND);
        now += 10 * SECOND;
        assertThat(desk.grants(now)).containsExactly(grant(B, MIB));
        assertThat(desk.status(now).bytesPerSecond()).isZero();
    }

    @Test
    void givesNothingMoreToWhoSetsARateAnew() {
        WriteRate rate = new WriteRate(MIB, 1, 0, Duration.ofSeconds(60));
        desk.pace(rate, now);
        assertThat(ask(A, MIB)).hasSize(1);
        for (int i = 0; i < 4; i++) {
            desk.pace(rate, now);
            assertThat(ask(B, MIB)).isEmpty();
            now += SECOND / 4;
        }
        assertThat(desk.grants(now)).hasSize(1);
    }

    @Test
    void givesNobodyASecondPartOfARateBeforeHisFirstHasEnded() {
        desk.pace(new WriteRate(16 * MIB, 1, 0, Duration.ofSeconds(60)), now);
        desk.ask(A, MIB, MIB, now);
        desk.ask(B, 2 * MIB, 2 * MIB, now);
        assertThat(senders(desk.grants(now))).as("8 MiB/s each").containsExactly(A, B);
        desk.ask(A, MIB, MIB, now);
        desk.ask(B, 2 * MIB, 2 * MIB, now);
        now += SECOND / 8;
        send(A, MIB);
        assertThat(desk.grants(now))
                .as("half of the rate, not a third of it")
                .containsExactly(new CreditDesk.Grant(A, MIB, (long) (1.03 * 8 * MIB)));
        assertThat(desk.status(now).waiting()).isOne();
        assertThat(desk.nanosToTurn(now)).isBetween(SECOND / 8 - SECOND / 500, SECOND / 8);
        now += SECOND / 8;
        send(B, 2 * MIB);
        assertThat(senders(desk.grants(now))).containsExactly(B);
    }

    @Test
    void grantsTheNextBlockWhenTheOneBeforeHasNearlyCome() {
        askForASecondBlock(60);
        assertThat(desk.begin(A, MIB, now)).isTrue();
        now += SECOND;
        desk.arriving(A, PacedGrants.LATE_BYTES + 1);
        assertThat(desk.grants(now)).as("its part of the rate is over").isEmpty();
        assertThat(desk.status(now).waiting()).isOne();
        desk.arriving(A, PacedGrants.LATE_BYTES);
        assertThat(senders(desk.grants(now))).containsExactly(A);
        desk.arrived(A, MIB);
        assertThat(ask(A, MIB)).isEmpty();
        now += SECOND;
        assertThat(desk.grants(now)).as("nothing of the second block has come").isEmpty();
    }

    @Test
    void keepsNoPartOfARateForWhoIsLate() {
        askForASecondBlock(60);
        now += SECOND;
        assertThat(ask(B, MIB / 2)).containsExactly(new CreditDesk.Grant(B, MIB / 2, (long) (1.03 * MIB)));
        now += SECOND / 2;
        send(A, MIB);
        send(B, MIB / 2);
        assertThat(senders(desk.grants(now))).containsExactly(A);
    }

    @Test
    void grantsWhoIsLateWhenItsBlockWillNotCome() {
        askForASecondBlock(60);
        now += Credit.NODE_NANOS;
        assertThat(desk.grants(now)).isEmpty();
        desk.expire(now);
        assertThat(senders(desk.grants(now))).containsExactly(A);
    }

    @Test
    void grantsWhoIsLateWhenThereIsNoRateAnyMore() {
        askForASecondBlock(3);
        now += SECOND;
        assertThat(desk.grants(now)).isEmpty();
        assertThat(desk.nanosToTurn(now)).isEqualTo(2 * SECOND);
        now += 2 * SECOND;
        assertThat(desk.grants(now)).containsExactly(grant(A, MIB));
    }

    @Test
    void forgetsWhoLeavesAndIsLate() {
        askForASecondBlock(60);
        now += SECOND;
        assertThat(desk.grants(now)).isEmpty();
        desk.leave(A, now);
        assertThat(desk.status(now).waiting()).isZero();
        assertThat(senders(ask(A, MIB))).as("as one who is new").containsExactly(A);
    }

    @Test
    void grantsWhoHadAPartWhenThereIsNoRateAnyMore() {
        askForASecondBlock(60);
        desk.pace(new WriteRate(0, 1, 0, Duration.ofSeconds(1)), now);
        assertThat(desk.grants(now)).containsExactly(grant(A, MIB));
        assertThat(desk.status(now).waiting()).isZero();
    }

    @Test
    void forgetsWhoLeavesWithAPartOfARate() {
        askForASecondBlock(60);
        desk.leave(A, now);
        assertThat(desk.status(now).waiting()).isZero();
        now += SECOND;
        assertThat(desk.grants(now)).isEmpty();
        assertThat(ask(A, MIB)).hasSize(1);
    }

    @Test
    void saysForHowLongNothingWasWrittenThatSomebodyWaitsFor() {
        take(A, 16 * MIB);
        now += 5 * SECOND;
        assertThat(desk.stuckNanos(now)).as("nobody waits").isZero();
        desk.ask(B, MIB, MIB, now);
        assertThat(desk.stuckNanos(now)).isEqualTo(5 * SECOND);
        desk.end(A, MIB / 2, now);
        now += SECOND;
        assertThat(desk.stuckNanos(now)).isEqualTo(SECOND);
        desk.end(A, MIB / 2, now);
        desk.pace(new WriteRate(1, 1, 0, Duration.ofSeconds(60)), now);
        assertThat(desk.grants(now)).hasSize(1);
        desk.ask(C, MIB, MIB, now);
        desk.end(A, 4 * MIB, now);
        now += 5 * SECOND;
        assertThat(desk.stuckNanos(now)).as("the rate is waited for").isZero();
    }

    @Test
    void saysForHowLongNothingWasWrittenThatBackgroundWorkWaitsFor() {
        take(REBUILD, 4 * MIB);
        assertThat(ask(REBUILD, MIB)).isEmpty();
        now += 5 * SECOND;
        assertThat(desk.stuckNanos(now)).isEqualTo(5 * SECOND);
    }
}
