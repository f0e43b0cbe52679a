// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a supervisor reports, and what a coordinator gathers of it, whatever gets lost between them. */
class ReportsTest {
    private static final int RANKS = 2500;

    private final Reports reports = new Reports(7);
    private final Gathered gathered = new Gathered();

    @Test
    void everyReportArrivesThoughAnswersGetLostAndComeTwice() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Reports said = new Reports(1 + seed);
            Gathered known = new Gathered();
            int rank = 0;
            while (rank < 100) {
                said.begun(rank, rank);
                said.saved(rank, new LocalCopy(rank, 1));
                said.stored(unit(rank++));
                Answer.Progress answer = said.after(known.heard());
                for (int times = random.nextInt(3); times > 0; times--) {
                    known.take(answer);
                }
            }
            known.take(said.after(known.heard()));
            assertThat(known.begun()).as("seed %d", seed).isEqualTo(100);
            assertThat(known.lastBegun()).as("seed %d", seed).isEqualTo(99);
            assertThat(known.saved()).as("seed %d", seed).hasSize(100);
            assertThat(known.stored())
                    .as("seed %d", seed)
                    .extracting(StoredUnit::rank)
                    .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
            assertThat(known.storedBytes()).as("seed %d", seed).isEqualTo(4950);
        }
    }

    @Test
    void whatWasHeardIsNotSaidAgain() {
        reports.begun(0, 4);
        gathered.take(reports.after(gathered.heard()));
        reports.begun(1, 5);
        assertThat(reports.after(gathered.heard()).begun()).containsOnlyKeys(1);
    }

    @Test
    void aNewLeaderHearsAllInAnswersOfBoundedSize() {
        IntStream.range(0, RANKS).forEach(rank -> reports.stored(unit(rank)));
        List<Integer> sizes = IntStream.range(0, 3)
                .map(_ -> gathered.take(reports.after(gathered.heard())).size())
                .boxed()
                .toList();
        assertThat(sizes).containsExactly(Reports.MOST, Reports.MOST, RANKS - 2 * Reports.MOST);
        assertThat(reports.after(gathered.heard())).satisfies(rest -> {
            assertThat(rest.more()).isFalse();
            assertThat(rest.stored()).isEmpty();
        });
    }

    @Test
    void reportsOfASupervisorBeforeDoNotCountForTheNextOne() {
        reports.begun(0, 40);
        reports.begun(1, 40);
        gathered.take(reports.after(gathered.heard()));
        Reports next = new Reports(8);
        next.begun(0, 3);
        next.begun(0, 4);
        next.begun(0, 5);
        gathered.take(next.after(gathered.heard()));
        assertThat(gathered.begun()).isOne();
        assertThat(gathered.lastBegun()).isEqualTo(5);
    }

    @Test
    void whatComesAfterAGapIsAskedForAgain() {
        reports.begun(0, 4);
        reports.begun(1, 4);
        Answer.Progress second = reports.after(new Heard(7, 1));
        gathered.take(second);
        assertThat(gathered.begun()).isZero();
        assertThat(gathered.heard()).isEqualTo(Heard.NONE);
    }

    private static StoredUnit unit(int rank) {
        Pack own = new Pack(new PackId(1, rank), 1, 1);
        return new StoredUnit(rank, "/index-" + rank, rank, "", 1, "", 1, own, List.of());
    }
}
