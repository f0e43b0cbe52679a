// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockWaitsTest {
    private static final LockOwner OWNER = new LockOwner(LockOwner.Kind.POSIX, 1);
    private static final int PATIENCE = TableQuery.MOST_WAIT_MILLIS;

    private final TableState state = new TableState(10);
    private final List<Duration> times = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final LockWaits waits = new LockWaits(
            (time, task) -> {
                times.add(time);
                timers.add(task);
            },
            new Direct(),
            state);
    private long file;

    private static final class Direct implements Lane {
        @Override
        public <T> void then(CompletableFuture<T> answer, Consumer<T> next) {
            answer.thenAccept(next);
        }
    }

    @BeforeEach
    void makeFile() {
        TableCommand.Make make = new TableCommand.Make(Inode.ROOT, "f", 0100644, 0, 0, 0, null);
        file = ((TableAnswer.Known) state.apply("a", make, Instant.EPOCH))
                .inode()
                .number();
    }

    private static RangeLock lock(long start, long end, boolean exclusive) {
        return new RangeLock(OWNER, new LockRange(start, end), exclusive, 1);
    }

    private void take(String client, long start, long end, boolean exclusive) {
        make(client, new TableCommand.Lock(file, lock(start, end, exclusive)));
    }

    private void make(String client, TableCommand<?> command) {
        state.apply(client, command, Instant.EPOCH);
        waits.made(command);
    }

    private boolean waitFor(String client, long start, long end, boolean exclusive, int millis) {
        TableQuery.Blocker query = new TableQuery.Blocker(file, lock(start, end, exclusive), millis);
        return waits.holdsBack(new TableCall.Ask(client, query), () -> told.add(client));
    }

    @Test
    void onlyWhoAsksForItWaitsAndOnlyWhileSomethingIsInTheWay() {
        take("a", 0, 9, true);

        assertThat(waitFor("b", 0, 9, true, 0)).isFalse();
        assertThat(waitFor("b", 10, 19, true, PATIENCE)).isFalse();
        assertThat(waitFor("a", 0, 9, true, PATIENCE)).isFalse();
        assertThat(waitFor("b", 0, 9, true, PATIENCE)).isTrue();
        assertThat(waits.holdsBack(new TableCall.Ask("b", new TableQuery.Usage()), () -> {}))
                .isFalse();
    }

    @Test
    void whoCannotHaveTheirLockBesideTheFirstOnesGoOnWaiting() {
        take("a", 0, 99, true);
        assertThat(waitFor("b", 0, 9, false, PATIENCE)).isTrue();
        assertThat(waitFor("c", 5, 5, true, PATIENCE)).isTrue();
        assertThat(waitFor("d", 0, 9, false, PATIENCE)).isTrue();
        assertThat(waitFor("e", 50, 59, true, PATIENCE)).isTrue();

        make("a", new TableCommand.Unlock(file, OWNER, new LockRange(0, 20)));
        assertThat(told).containsExactly("b", "d");
        make("a", new TableCommand.Unlock(file, OWNER, LockRange.ALL));
        assertThat(told).containsExactly("b", "d", "c", "e");
    }

    @Test
    void aWeakerLockAndTheEndOfASessionLetOthersIn() {
        take("a", 0, 9, true);
        assertThat(waitFor("b", 0, 9, false, PATIENCE)).isTrue();
        assertThat(waitFor("c", 0, 9, true, PATIENCE)).isTrue();

        take("a", 0, 9, false);
        assertThat(told).containsExactly("b");
        state.endSession("a");
        waits.freed();
        assertThat(told).containsExactly("b", "c");
    }

    @Test
    void aQuestionIsAnsweredOnceAndInTimeWhateverHappens() {
        take("a", 0, 9, true);
        assertThat(waitFor("b", 0, 9, true, 5)).isTrue();
        assertThat(waitFor("c", 0, 9, true, 1_000_000)).isTrue();
        assertThat(times).containsExactly(Duration.ofMillis(5), Duration.ofMillis(PATIENCE));

        timers.getFirst().run();
        assertThat(told).containsExactly("b");
        make("a", new TableCommand.Unlock(file, OWNER, LockRange.ALL));
        timers.forEach(Runnable::run);
        assertThat(told).containsExactly("b", "c");
    }

    @Test
    void soManyWaitAndTheOthersAreAnsweredAtOnce() {
        take("a", 0, 9, true);
        for (int i = 0; i < LockWaits.MOST; i++) {
            assertThat(waitFor("b", 0, 9, false, PATIENCE)).isTrue();
        }
        assertThat(waitFor("c", 0, 9, false, PATIENCE)).isFalse();

        make("a", new TableCommand.Unlock(file, OWNER, LockRange.ALL));
        assertThat(told).hasSize(LockWaits.MOST);
        take("a", 0, 9, true);
        assertThat(waitFor("c", 0, 9, false, PATIENCE)).isTrue();
    }
}
