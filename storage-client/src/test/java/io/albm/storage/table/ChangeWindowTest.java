// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.TableAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A window that is full of one change that was answered and is not known to be durable. */
class ChangeWindowTest {
    private static final int FULL = TableMachine.MAX_UNSETTLED;

    private final List<CompletableFuture<Void>> syncs = new ArrayList<>();
    private final List<Long> firsts = new ArrayList<>();
    private final ChangeWindow window = new ChangeWindow("c", () -> {
        syncs.add(new CompletableFuture<>());
        return syncs.getLast();
    });

    private static TableReply reply(long position, long durable, long epoch) {
        return new TableReply(position, durable, epoch, TableOutcome.of(TableAnswer.Done::new), null);
    }

    private void enter(int count) {
        assertThat(window.enter(count, firsts::add)).isTrue();
    }

    /** The next leader tells that all of its own is durable, and nothing of the first change. */
    private void fill() {
        enter(1);
        window.leave(1, 1, reply(5, 4, 1));
        enter(FULL - 1);
        window.leave(2, FULL - 1, reply(6, 6, 2));
        assertThat(syncs).isEmpty();
        enter(1);
        assertThat(firsts).hasSize(2);
    }

    @Test
    void asksWhetherAChangeIsDurableThatNoAnswerTellsOf() {
        fill();
        assertThat(syncs).hasSize(1);

        window.settle(window.undurable());

        assertThat(firsts).last().isEqualTo(FULL + 1L);
        assertThat(window.settled()).isEqualTo(FULL);
    }

    @Test
    void asksWhenTheLastAnswerUnderWayMakesNoRoom() {
        enter(FULL);
        enter(1);
        assertThat(syncs).isEmpty();

        window.leave(1, FULL, reply(5, 4, 1));

        assertThat(syncs).hasSize(1);
    }

    @Test
    void whatWaitsGoesIfNobodyKnowsWhatIsDurable() {
        fill();

        syncs.getFirst().completeExceptionally(new IllegalStateException("no leader"));

        assertThat(firsts).last().isEqualTo(FULL + 1L);
    }

    @Test
    void whatWaitsGoesWhenTheSessionIsOver() {
        fill();

        window.end();

        assertThat(firsts).last().isEqualTo(FULL + 1L);
    }
}
