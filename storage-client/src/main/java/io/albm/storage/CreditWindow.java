// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one client may send to one I/O node. Blocks take their turns here, whichever stream they are of, before they are sent: at once
 * with credit that is left, else when the node grants more, which it is asked for, one ask at a time, as long as blocks wait.
 *
 * <p>A node that answers without granting serves others first; it is asked again, however long that takes. Blocks fail if it
 * does not answer, or says that for as long as it would be waited for it has written nothing. At most {@value #MOST_WAITING}
 * blocks wait; one more fails with {@link WireCode#BUSY}. Thread-safe, never blocks.
 */
final class CreditWindow {
    /** Blocks that wait, over all streams. */
    static final int MOST_WAITING = 1024;

    /** What one ask is for at most, if not for one block alone: the node grants an ask as a whole, in one turn. */
    static final int MOST_ASKED = 1 << 20;

    /** Asks the node for credit for so many bytes, the first block's among them. */
    @FunctionalInterface
    interface Node {
        CompletableFuture<StorageReply.Granted> ask(int bytes, int first);
    }

    private record Waiting(int cost, CompletableFuture<Void> turn) {}

    /** What an ask is for. */
    private record Wanted(int bytes, int first) {}

    private final Node node;
    private final Duration patience;
    private final MonotonicClock clock;
    private final Credit credit = new Credit(Credit.CLIENT_NANOS);
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean asking;

    /** @param patience with a node that writes nothing */
    CreditWindow(Node node, Duration patience, MonotonicClock clock) {
        this.node = node;
        this.patience = patience;
        this.clock = clock;
    }

    /**
     * Waits for a block's turn.
     *
     * @param cost what it {@linkplain Credit#cost takes}
     */
    CompletableFuture<Void> take(int cost) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        if (isTurn(cost, turn)) {
            return CompletableFuture.completedFuture(null);
        }
        ask();
        return turn;
    }

    private synchronized boolean isTurn(int cost, CompletableFuture<Void> turn) {
        credit.expire(clock.nanoTime());
        if (waiting.isEmpty() && credit.use(cost)) {
            return true;
        }
        if (waiting.size() == MOST_WAITING) {
            turn.completeExceptionally(
                    new WireException(WireCode.BUSY, waiting.size() + " blocks already wait for its credit"));
        } else {
            waiting.add(new Waiting(cost, turn));
        }
        return false;
    }

    /** The node has granted more. */
    void add(long bytes) {
        turns(bytes).forEach(turn -> turn.complete(null));
    }

    /** Credit is void that was left. */
    synchronized void forget() {
        credit.clear();
    }

    private synchronized List<CompletableFuture<Void>> turns(long granted) {
        long now = clock.nanoTime();
        credit.expire(now);
        credit.add(granted, now);
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        for (Waiting first = waiting.peek(); first != null && credit.use(first.cost()); first = waiting.peek()) {
            turns.add(first.turn());
            waiting.remove();
        }
        return turns;
    }

    private void ask() {
        beginToAsk()
                .ifPresent(wanted -> node.ask(wanted.bytes(), wanted.first()).whenComplete(this::answered));
    }

    /** @return nothing if nothing is to be asked now */
    private synchronized Optional<Wanted> beginToAsk() {
        Waiting first = waiting.peek();
        if (asking || first == null) {
            return Optional.empty();
        }
        asking = true;
        int bytes = 0;
        for (Waiting next : waiting) {
            if (bytes > 0 && bytes + next.cost() > MOST_ASKED) {
                break;
            }
            bytes += next.cost();
        }
        return Optional.of(new Wanted(bytes, first.cost()));
    }

    private void answered(StorageReply.@Nullable Granted granted, @Nullable Throwable failure) {
        if (granted == null) {
            fail(Objects.requireNonNull(failure));
        } else if (granted.stuckMillis() >= patience.toMillis()) {
            fail(new WireException(
                    WireCode.DEADLINE_EXCEEDED, "it has written nothing for " + granted.stuckMillis() + " ms"));
        } else {
            endAsking();
            List<CompletableFuture<Void>> turns = turns(granted.bytes());
            // Before the blocks: behind them the ask would come when they have, and the node would have nobody to grant
            // to meanwhile.
            ask();
            turns.forEach(turn -> turn.complete(null));
        }
    }

    private synchronized void endAsking() {
        asking = false;
    }

    private void fail(Throwable failure) {
        List<Waiting> failed;
        synchronized (this) {
            asking = false;
            credit.clear();
            failed = List.copyOf(waiting);
            waiting.clear();
        }
        failed.forEach(block -> block.turn().completeExceptionally(failure));
    }
}
