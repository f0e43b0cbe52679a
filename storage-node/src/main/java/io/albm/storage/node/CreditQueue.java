// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Senders that wait for credit, each for one grant. In each round a sender may take as much as any other, and saves up what is
 * not enough yet (deficit round robin, M. Shreedhar and G. Varghese, "Efficient fair queuing using deficit round robin",
 * SIGCOMM 1995): so who wants much waits for as many rounds as it takes, and nobody is passed over. Whose turn it is keeps it until
 * it has its grant.
 *
 * <p>A round goes by the senders' ids, not by who came first. Senders that ask many nodes at once come to all of them in the same order,
 * and would be granted by all at once what their link carries in as many turns, while all nodes wait. By ids, nodes go around in
 * step, and when they {@linkplain #beginAt begin} at different places, each serves another sender. Not thread-safe.
 */
final class CreditQueue {
    /** What a sender may take in a round: a usual block. */
    static final int QUANTUM = 1 << 20;

    /** How long a sender that is not heard of keeps its place; its next call is due after a round trip. */
    static final long PLACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final double GO_ON = -1;

    private final NavigableMap<Long, CreditAccount> waiting = new TreeMap<>();
    private int listening;

    /** Those who wait and have {@linkplain CreditAccount#parts parts} of a rate. */
    private int served;

    /** The turn is that of the first sender from here on. */
    private long hand;

    /** Where to begin when the next turn is a choice; negative to go on. */
    private double phase = GO_ON;

    int size() {
        return waiting.size() + served;
    }

    /** Those who may have a turn. */
    int unserved() {
        return waiting.size();
    }

    /** Those who wait for a part of a rate that they have to end. */
    int served() {
        return served;
    }

    /**
     * The next round that more than one waits for begins at another place.
     *
     * @param share of the senders that are passed over then, from 0 to less than 1
     */
    void beginAt(double share) {
        phase = share;
    }

    /** Puts a sender at its place in the round. It listens from now on. */
    void put(CreditAccount account, int wanted, long now) {
        if (account.wanted == 0) {
            account.deficit = 0;
            enter(account);
        }
        account.wanted = wanted;
        account.heardAt = now;
        listens(account, true);
    }

    private void enter(CreditAccount account) {
        if (account.parts > 0) {
            served++;
        } else {
            waiting.put(account.sender().id(), account);
            listening += account.listens ? 1 : 0;
        }
    }

    /** A sender has a part of a rate from now on: others have their turns first. */
    void serve(CreditAccount account) {
        if (account.wanted > 0 && account.parts == 0) {
            waiting.remove(account.sender().id());
            listening -= account.listens ? 1 : 0;
            served++;
        }
        account.parts++;
    }

    /** A part ends that a sender had. */
    void free(CreditAccount account) {
        account.parts--;
        if (account.wanted > 0 && account.parts == 0) {
            served--;
            enter(account);
        }
    }

    /** The sender will not hear of a grant until it is {@linkplain #put put} again. */
    void pause(CreditAccount account, long now) {
        account.heardAt = now;
        listens(account, false);
    }

    private void listens(CreditAccount account, boolean listens) {
        if (account.listens != listens) {
            account.listens = listens;
            if (account.parts == 0) {
                listening += listens ? 1 : -1;
            }
        }
    }

    void remove(CreditAccount account) {
        if (account.wanted > 0) {
            served -= account.parts > 0 ? 1 : 0;
            waiting.remove(account.sender().id(), account);
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
        if (phase != GO_ON && waiting.size() > 1) {
            hand = waiting.keySet().stream()
                    .skip((long) (phase * waiting.size()))
                    .findFirst()
                    .orElseThrow();
            phase = GO_ON;
        }
        CreditAccount next = at(waiting.ceilingEntry(hand));
        while (!isTurnOf(next)) {
            next = at(waiting.higherEntry(next.sender().id()));
        }
        hand = next.sender().id();
        return next;
    }

    /** Behind the last one comes the first. */
    private CreditAccount at(Map.@Nullable Entry<Long, CreditAccount> place) {
        return (place == null ? waiting.firstEntry() : place).getValue();
    }

    private static boolean isTurnOf(CreditAccount account) {
        if (account.listens && account.deficit < account.wanted) {
            account.deficit += QUANTUM;
        }
        return account.listens && account.deficit >= account.wanted;
    }

    /** Takes out those that were not heard of for too long. */
    void expire(long now) {
        waiting.values().removeIf(account -> {
            boolean isGone = !account.listens && now - account.heardAt >= PLACE_NANOS;
            if (isGone) {
                leave(account);
            }
            return isGone;
        });
    }
}
