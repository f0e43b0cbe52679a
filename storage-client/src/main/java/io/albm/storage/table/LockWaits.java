// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.RangeLock;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Questions about locks that wait until nothing is in the way of what their clients want, in the order in which they came. When a
 * lock is given back, those are answered that can have theirs at the same time; the others go on waiting, so that not all of
 * them ask for what one can have. A client that was told, and does not take its lock, holds the others up until their questions
 * are answered by time.
 *
 * <p>Nothing of this is in the log: a question that is lost with its leader is asked again. At most {@value #MOST} wait; more are
 * answered at once. Belongs to the lane.
 */
final class LockWaits {
    static final int MOST = 1024;

    private final Delay delay;
    private final Lane lane;
    private final TableState state;
    private final Map<Long, Set<Waiter>> byInode = new HashMap<>();
    private int count;

    /** Compared by identity: the same may be asked twice. */
    private static final class Waiter {
        private final @Nullable String client;
        private final TableQuery.Blocker query;
        private final Runnable answer;

        private Waiter(@Nullable String client, TableQuery.Blocker query, Runnable answer) {
            this.client = client;
            this.query = query;
            this.answer = answer;
        }

        private boolean conflicts(Waiter other) {
            RangeLock wanted = query.wanted();
            boolean isSameOwner = wanted.owner().equals(other.query.wanted().owner())
                    && client != null
                    && client.equals(other.client);
            return !isSameOwner && wanted.conflicts(other.query.wanted());
        }
    }

    LockWaits(Delay delay, Lane lane, TableState state) {
        this.delay = delay;
        this.lane = lane;
        this.state = state;
    }

    /**
     * Lets a question wait that asks for it.
     *
     * @param answer answers it, on the lane, when it has not to wait any more
     * @return whether it has to wait
     */
    boolean holdsBack(TableCall.Ask ask, Runnable answer) {
        if (!(ask.query() instanceof TableQuery.Blocker query) || query.waitMillis() <= 0 || count >= MOST) {
            return false;
        }
        Waiter waiter = new Waiter(ask.client(), query, answer);
        if (!isBlocked(waiter)) {
            return false;
        }
        byInode.computeIfAbsent(query.inode(), first -> new LinkedHashSet<>()).add(waiter);
        count++;
        Duration patience = Duration.ofMillis(Math.min(query.waitMillis(), TableQuery.MOST_WAIT_MILLIS));
        lane.after(patience, delay, () -> end(waiter));
        return true;
    }

    private boolean isBlocked(Waiter waiter) {
        TableOutcome outcome = TableOutcome.of(() -> state.answer(waiter.client, waiter.query));
        return outcome.answer() instanceof TableAnswer.Blocked blocked && blocked.by() != null;
    }

    private void end(Waiter waiter) {
        Set<Waiter> waiters = byInode.get(waiter.query.inode());
        if (waiters != null && waiters.remove(waiter)) {
            count--;
            if (waiters.isEmpty()) {
                byInode.remove(waiter.query.inode());
            }
            waiter.answer.run();
        }
    }

    /** A change was made, which may have given a lock back. */
    void made(TableCommand<?> command) {
        switch (command) {
            case TableCommand.Lock lock -> look(lock.inode());
            case TableCommand.Unlock unlock -> look(unlock.inode());
            default -> {}
        }
    }

    /** Any locks may have been given back. */
    void freed() {
        List.copyOf(byInode.keySet()).forEach(this::look);
    }

    private void look(long inode) {
        List<Waiter> free = new ArrayList<>();
        for (Waiter waiter : byInode.getOrDefault(inode, Set.of())) {
            if (!isBlocked(waiter) && free.stream().noneMatch(waiter::conflicts)) {
                free.add(waiter);
            }
        }
        free.forEach(this::end);
    }
}
