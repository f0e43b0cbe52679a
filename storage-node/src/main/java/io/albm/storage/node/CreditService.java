// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.Peer;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Sender;
import io.albm.storage.StorageReply.Granted;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CreditDesk} among connections and threads: asks wait here until they are granted, and what a connection has
 * is given back when it ends. An ask that is not granted within {@link #HOLD} is answered all the same, so that its sender knows
 * that the node lives. Thread-safe, never blocks.
 */
final class CreditService {
    /** How long an ask waits for its grant, unless its sender has less patience than twice that. */
    static final Duration HOLD = Duration.ofMillis(500);

    /** A connection speaks for so many senders at most that wait or have credit; one more is told {@link WireCode#BUSY}. */
    static final int MOST_SENDERS = 256;

    private static final Granted NOT_YET = new Granted(0, 0, 0);

    private final CreditDesk desk;
    private final MonotonicClock clock;
    private final ScheduledExecutorService timer;
    private final Map<Sender, CompletableFuture<Granted>> asks = new HashMap<>();
    private final Map<Peer, Connection> connections = new HashMap<>();
    private List<Answer> answers = new ArrayList<>();

    /** So that nobody waits for the lock for each piece of a block while there is no rate. */
    private volatile boolean isPaced;

    private @Nullable Future<?> look;
    private long lookAt;

    private static final class Connection {
        private final Set<Sender> senders = new HashSet<>();

        /** What has begun to come, and was not handed on yet. */
        private final Map<Sender, Long> coming = new HashMap<>();

        /** Whose block is coming, null if none is. */
        private @Nullable Sender sender;
    }

    private record Answer(CompletableFuture<Granted> ask, Granted granted) {
        void give() {
            ask.complete(granted);
        }
    }

    /** @param timer runs short tasks later */
    CreditService(CreditDesk desk, MonotonicClock clock, ScheduledExecutorService timer) {
        this.desk = desk;
        this.clock = clock;
        this.timer = timer;
    }

    /** The credit of a node whose memory for blocks is so many bytes. */
    static CreditService open(long memory, Transport transport, Metrics metrics) {
        CreditDesk desk = new CreditDesk(memory, CreditCounters.of(metrics));
        CreditService service = new CreditService(desk, MonotonicClock.system(), transport.eventLoops());
        service.publish(metrics);
        return service;
    }

    private void publish(Metrics metrics) {
        metrics.gauge(
                "storage_credit_out_bytes",
                "Bytes of blocks that are in memory, or that senders were told they may send.",
                () -> status().out());
        metrics.gauge(
                "storage_credit_unused_bytes",
                "Bytes of those that senders were told of and have not sent.",
                () -> status().unused());
        metrics.gauge("storage_credit_waiting_senders", "Senders that wait for their turn.", () -> status().waiting());
        metrics.gauge(
                "storage_credit_rate_bytes_per_second",
                "At which credit is granted at most; 0 while nobody has set a rate.",
                () -> status().bytesPerSecond());
    }

    /**
     * A sender asks for credit.
     *
     * @param first what the first of its blocks takes
     * @param patience how long it waits for an answer; zero if for any time
     */
    CompletableFuture<Granted> ask(Sender sender, int bytes, int first, Duration patience, Peer peer) {
        CompletableFuture<Granted> ask = new CompletableFuture<>();
        if (!decide(now -> isTaken(ask, sender, bytes, first, peer, now))) {
            return CompletableFuture.failedFuture(
                    new WireException(WireCode.BUSY, "more than " + MOST_SENDERS + " senders on one connection"));
        }
        if (!ask.isDone()) {
            hold(ask, sender, patience);
        }
        return ask;
    }

    private boolean isTaken(CompletableFuture<Granted> ask, Sender sender, int bytes, int first, Peer peer, long now) {
        Set<Sender> senders = connection(peer).senders;
        if (senders.size() == MOST_SENDERS && !senders.contains(sender)) {
            senders.removeIf(other -> desk.leaveIfIdle(other, now));
        }
        if (senders.size() == MOST_SENDERS && !senders.contains(sender)) {
            return false;
        }
        senders.add(sender);
        answer(asks.put(sender, ask), NOT_YET);
        desk.ask(sender, bytes, first, now);
        return true;
    }

    private Connection connection(Peer peer) {
        return connections.computeIfAbsent(peer, unknown -> new Connection());
    }

    private void hold(CompletableFuture<Granted> ask, Sender sender, Duration patience) {
        long half = patience.toMillis() / 2;
        long millis = half == 0 ? HOLD.toMillis() : Math.min(HOLD.toMillis(), half);
        Future<?> end = timer.schedule(() -> giveUp(ask, sender), millis, TimeUnit.MILLISECONDS);
        ask.whenComplete((granted, failure) -> end.cancel(false));
    }

    private void giveUp(CompletableFuture<Granted> ask, Sender sender) {
        decide(now -> {
            if (asks.remove(sender, ask)) {
                answer(ask, new Granted(0, TimeUnit.NANOSECONDS.toMillis(desk.stuckNanos(now)), 0));
                desk.pause(sender, now);
            }
            return null;
        });
    }

    /** A block begins to come over a connection. @return whether it is let in */
    boolean begin(Sender sender, int bytes, Peer peer) {
        return decide(now -> {
            boolean isLetIn = desk.begin(sender, bytes, now);
            if (isLetIn) {
                Connection connection = connection(peer);
                connection.coming.merge(sender, (long) bytes, Long::sum);
                connection.sender = sender;
            }
            return isLetIn;
        });
    }

    /** What is coming over a connection has come, but for so many bytes. Who sends at a rate has his next turn before the last of them. */
    void arriving(int missing, Peer peer) {
        if (isPaced) {
            decide(now -> {
                Sender sender = connection(peer).sender;
                if (sender != null) {
                    desk.arriving(sender, missing);
                }
                return null;
            });
        }
    }

    /** A block that was let in has come; whoever has it now {@linkplain #end ends} it. */
    void arrived(Sender sender, int bytes, Peer peer) {
        decide(now -> {
            Connection connection = connection(peer);
            connection.coming.computeIfPresent(sender, (same, sum) -> sum == bytes ? null : sum - bytes);
            connection.sender = null;
            desk.arrived(sender, bytes);
            return null;
        });
    }

    /** A block was not written, and needs its memory no more. */
    void end(Sender sender, int bytes) {
        decide(now -> {
            desk.end(sender, bytes, now);
            return null;
        });
    }

    /** A block is written, and needs its memory no more. @return what its sender is granted with that */
    int written(Sender sender, int bytes) {
        return decide(now -> {
            desk.end(sender, bytes, now);
            return desk.ahead(sender, bytes, now);
        });
    }

    /** A connection has ended, and with it what was coming over it, and what those were granted who asked over it. */
    void closed(Peer peer) {
        decide(now -> {
            Connection connection = connections.remove(peer);
            if (connection != null) {
                connection.coming.forEach((sender, bytes) -> {
                    desk.arrived(sender, bytes);
                    desk.end(sender, bytes, now);
                });
                connection.senders.forEach(sender -> leave(sender, now));
            }
            return null;
        });
    }

    private void leave(Sender sender, long now) {
        desk.leave(sender, now);
        answer(asks.remove(sender), NOT_YET);
    }

    void pace(WriteRate rate) {
        decide(now -> {
            desk.pace(rate, now);
            return null;
        });
    }

    synchronized CreditDesk.Status status() {
        return desk.status(clock.nanoTime());
    }

    /** Decides under the lock. Answers are given outside of it: whoever waits for one goes on there and then. */
    private <T extends @Nullable Object> T decide(LongFunction<T> decision) {
        T result;
        List<Answer> due;
        synchronized (this) {
            long now = clock.nanoTime();
            result = decision.apply(now);
            desk.grants(now)
                    .forEach(grant ->
                            answer(asks.remove(grant.sender()), new Granted(grant.bytes(), 0, grant.bytesPerSecond())));
            isPaced = desk.isPaced(now);
            lookIn(desk.nanosToTurn(now), now);
            due = answers;
            answers = new ArrayList<>();
        }
        due.forEach(Answer::give);
        return result;
    }

    private void answer(@Nullable CompletableFuture<Granted> ask, Granted granted) {
        if (ask != null) {
            answers.add(new Answer(ask, granted));
        }
    }

    private void lookIn(long nanos, long now) {
        if (nanos == CreditDesk.NEVER || (look != null && lookAt - now <= nanos)) {
            return;
        }
        if (look != null) {
            look.cancel(false);
        }
        look = timer.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
        lookAt = now + nanos;
    }

    private void look() {
        decide(now -> {
            look = null;
            desk.expire(now);
            return null;
        });
    }
}
