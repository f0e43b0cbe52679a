// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * What went through one frontend, pool or backend since the start. Counted by all event loops: a request costs an addition
 * or two to each counter that it touches, which threads do not contend for. Totals only grow.
 */
public final class Traffic {
    /** One thing that is counted. */
    public enum Count {
        /** Connections of clients (frontend), requests sent (backend). */
        SESSIONS,
        /** Requests that were read. */
        REQUESTS,
        /** Bytes from clients. */
        BYTES_IN,
        /** Bytes to clients. */
        BYTES_OUT,
        /** Requests that were refused because they were malformed or too slow. */
        REFUSED,
        CONNECT_ERRORS,
        /** No response, a broken one, or none in time. */
        RESPONSE_ERRORS,
        /** Sent again after an error. */
        RETRIES,
        /** Of those, sent to another backend than before. */
        REDISPATCHES,
        CLIENT_ABORTS,
        SERVER_ABORTS,
        /** Requests that were answered, which the times below are of. */
        TIMED,
        /** Waited for a backend to have room. */
        QUEUE_NANOS,
        /** From then until there was a connection. */
        CONNECT_NANOS,
        /** From then to the response's first byte. */
        RESPONSE_NANOS,
        /** From the whole head to the end of the response. */
        TOTAL_NANOS
    }

    private static final Set<Count> TIMES =
            EnumSet.of(Count.QUEUE_NANOS, Count.CONNECT_NANOS, Count.RESPONSE_NANOS, Count.TOTAL_NANOS);

    private static final int STATUS_CLASSES = 6;
    private static final int CLASS_SIZE = 100;

    private final LongAdder[] counts = adders(Count.values().length);
    private final LongAdder[] responses = adders(STATUS_CLASSES);
    private final AtomicInteger current = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Rate sessionRate = new Rate();
    private final Rate requestRate = new Rate();
    private final Map<Count, RecentMean> means = new EnumMap<>(Count.class);

    /** Nothing was counted yet. */
    public Traffic() {
        TIMES.forEach(time -> means.put(time, new RecentMean()));
    }

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    @SuppressWarnings("EnumOrdinal") // an index that never leaves this class
    private LongAdder adder(Count count) {
        return counts[count.ordinal()];
    }

    /** Counts one more. */
    public void note(Count count) {
        adder(count).increment();
    }

    public void add(Count count, long more) {
        adder(count).add(more);
    }

    /** A session that begins; {@link #ended} belongs to it. */
    public void began() {
        note(Count.SESSIONS);
        reached(current.incrementAndGet());
    }

    public void ended() {
        current.decrementAndGet();
    }

    /** Notes how many sessions there are, where somebody else counts them. */
    public void reached(int sessions) {
        if (sessions > most.get()) {
            most.accumulateAndGet(sessions, Math::max);
        }
    }

    /** Counts the times of a request that was answered. Mostly it did not wait, and got a connection that was there. */
    public void took(long queueNanos, long connectNanos, long responseNanos, long totalNanos) {
        note(Count.TIMED);
        if (queueNanos > 0) {
            add(Count.QUEUE_NANOS, queueNanos);
        }
        if (connectNanos > 0) {
            add(Count.CONNECT_NANOS, connectNanos);
        }
        add(Count.RESPONSE_NANOS, responseNanos);
        add(Count.TOTAL_NANOS, totalNanos);
    }

    /**
     * How long that took of late, on average.
     *
     * @param time one of those in nanoseconds
     * @return nanoseconds; NaN while no request was answered
     */
    public double mean(Count time) {
        return Objects.requireNonNull(means.get(time)).value();
    }

    /** Counts a response. */
    public void responded(int status) {
        responses[Math.clamp(status / CLASS_SIZE, 0, STATUS_CLASSES - 1)].increment();
    }

    public long total(Count count) {
        return adder(count).sum();
    }

    /** Responses of a status class: 2 stands for 200 to 299, 0 for everything that is in no class. */
    public long responses(int statusClass) {
        return responses[statusClass].sum();
    }

    /** Responses of all classes. */
    public long responses() {
        return Arrays.stream(responses).mapToLong(LongAdder::sum).sum();
    }

    /** Sessions now, if {@link #began} and {@link #ended} are told. */
    public int current() {
        return current.get();
    }

    /** The most sessions there ever were at once. */
    public int most() {
        return most.get();
    }

    public Rate sessionRate() {
        return sessionRate;
    }

    public Rate requestRate() {
        return requestRate;
    }

    /** Takes what is needed for rates and means; to be called once a second, by one thread. */
    public void look(long nowNanos) {
        look(this, nowNanos);
    }

    /** The same, from the totals of another one. */
    public void look(Traffic totals, long nowNanos) {
        sessionRate.look(totals.total(Count.SESSIONS), nowNanos);
        requestRate.look(totals.total(Count.REQUESTS), nowNanos);
        means.forEach((time, mean) -> mean.look(totals.total(time), totals.total(Count.TIMED)));
    }

    /** Adds what another one has counted, which ends. */
    public void absorb(Traffic ended) {
        for (int i = 0; i < counts.length; i++) {
            counts[i].add(ended.counts[i].sum());
        }
        for (int i = 0; i < STATUS_CLASSES; i++) {
            responses[i].add(ended.responses[i].sum());
        }
    }
}
