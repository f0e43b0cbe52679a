// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Senders that wait for credit, each for one grant. In each round a sender may take as much as any other, and saves up what is
 * not enough yet (deficit round robin, M. Shreedhar and G. Varghese, "Efficient fair queuing using deficit round robin",
 * SIGCOMM 1995): so who wants much waits for as many rounds as it takes, and nobody is passed over. Whose turn it is keeps it until
 * it has its grant. Not thread-safe.
 */
final class CreditQueue {
    /** What a sender may take in a round: a usual block. */
    static final int QUANTUM = 1 << 20;

    /** How long a sender that is not heard of keeps its place; its next call is due after a round trip. */
    static final long PLACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Queue<CreditAccount> waiting = new ArrayDeque<>();
    private int listening;

    int size() {
        return waiting.size();
    }

    /** Puts a sender at the end; one that is in the queue keeps its place. It listens from now on. */
    void put(CreditAccount account, int wanted, long now) {
        if (account.wanted == 0) {
            account.deficit = 0;
            waiting.add(account);
        }
        account.wanted = wanted;
        account.heardAt = now;
        listens(account, true);
    }

    /** The sender will not hear of a grant until it is {@linkplain #put put} again. */
    void pause(CreditAccount account, long now) {
        account.heardAt = now;
        listens(account, false);
    }

    private void listens(CreditAccount account, boolean listens) {
        if (account.listens != listens) {
            listening += listens ? 1 : -1;
            account.listens = listens;
        }
    }

    void remove(CreditAccount account) {
        if (account.wanted > 0) {
            waiting.remove(account);
            leave(account);
        }
    }

    private void leave(CreditAccount account) {
        listens(account, false);
        account.wanted = 0;
    }

    /** Whose turn it is; null if nobody listens. */
    @Nullable
    CreditAccount first() {
        if (listening == 0) {
            return null;
        }
        while (!isTurnOf(waiting.element())) {
            waiting.add(waiting.remove());
        }
        return waiting.element();
    }

    private static boolean isTurnOf(CreditAccount account) {
        if (account.listens && account.deficit < account.wanted) {
            account.deficit += QUANTUM;
        }
        return account.listens && account.deficit >= account.wanted;
    }

    /** Takes out those that were not heard of for too long. */
    void expire(long now) {
        waiting.removeIf(account -> {
            boolean isGone = !account.listens && now - account.heardAt >= PLACE_NANOS;
            if (isGone) {
                leave(account);
            }
            return isGone;
        });
    }
}
