// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import java.util.Arrays;
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
        SERVER_ABORTS
    }

    private static final int STATUS_CLASSES = 6;
    private static final int CLASS_SIZE = 100;

    private final LongAdder[] counts = adders(Count.values().length);
    private final LongAdder[] responses = adders(STATUS_CLASSES);
    private final AtomicInteger current = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Rate sessionRate = new Rate();
    private final Rate requestRate = new Rate();

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

    /** Takes what is needed for rates; to be called once a second, by one thread. */
    public void look(long nowNanos) {
        sessionRate.look(total(Count.SESSIONS), nowNanos);
        requestRate.look(total(Count.REQUESTS), nowNanos);
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
