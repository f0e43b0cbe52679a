// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.Priority;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.routing.AdmissionQueue;
import io.albm.distributor.routing.AdmissionQueue.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Those who wait in a {@link WaitingRoom} for the same reason, and how many of them there are by policy, so that a turn asks
 * for few and ends when nobody is left who might go. Who picks by a policy that is known to be full is passed over; of those
 * whom a backend has failed, each of whom has to be asked for, {@value #MAX_RETRIES_REFUSED} are, by policy.
 *
 * <p>Not thread-safe.
 */
final class WaitingLine {
    /** Number of priority classes. */
    static final int CLASSES = Priority.values().length;

    private static final int MAX_RETRIES_REFUSED = 4;

    private final AdmissionQueue<Guest> queue;
    private final Set<BackendChooser> full;
    private final Map<BackendChooser, Kin> waiting = new HashMap<>();

    /** Those who pick by the same policy. */
    private static final class Kin {
        int firstTimers;
        int retries;
        int retriesRefused;

        void count(boolean isRetry, int more) {
            if (isRetry) {
                retries += more;
            } else {
                firstTimers += more;
            }
        }

        boolean isEmpty() {
            return firstTimers == 0 && retries == 0;
        }

        /** Whether so many found nothing in this turn, and held up nobody, that no other is asked for. */
        boolean hasRefusedRetries() {
            return retriesRefused >= Math.min(retries, MAX_RETRIES_REFUSED);
        }
    }

    /**
     * An empty line.
     *
     * @param full the policies that have no place for anybody, as far as is known in this turn
     */
    WaitingLine(Set<BackendChooser> full, int capacity, Duration timeout) {
        this.full = full;
        this.queue = new AdmissionQueue<>(CLASSES, capacity, timeout);
    }

    /** Lets one wait for so long from now on. */
    void resize(int capacity, Duration timeout) {
        queue.resize(capacity, timeout);
    }

    /** The place of his priority: 0 goes first. */
    static int rank(Guest guest) {
        return switch (guest.priority()) {
            case HIGH -> 0;
            case NORMAL -> 1;
            case LOW -> 2;
        };
    }

    /** How many wait. */
    int size() {
        return queue.size();
    }

    /** The first class in which somebody waits; {@link #CLASSES} if nobody does. */
    int firstClass() {
        return queue.firstClass();
    }

    /** Whether somebody waits whom no backend has failed yet, so that any of them will do. */
    boolean hasFirstTimers() {
        return waiting.values().stream().anyMatch(kin -> kin.firstTimers > 0);
    }

    /** The same, of those who pick by that policy. */
    boolean hasFirstTimers(BackendChooser policy) {
        Kin kin = waiting.get(policy);
        return kin != null && kin.firstTimers > 0;
    }

    /** Lets one wait behind those of his class who have waited for longer. */
    void add(Guest guest) {
        queue.readmit(guest, rank(guest), guest.sinceNanos());
        waiting.computeIfAbsent(guest.chooser(), _ -> new Kin()).count(guest.isRetry(), 1);
    }

    /** False if he does not wait here. */
    boolean remove(Guest guest) {
        boolean waited = queue.remove(guest);
        if (waited) {
            forget(guest, guest.isRetry());
        }
        return waited;
    }

    private void forget(Guest guest, boolean isRetry) {
        waiting.computeIfPresent(guest.chooser(), (_, kin) -> {
            kin.count(isRetry, -1);
            return kin.isEmpty() ? null : kin;
        });
    }

    /** As {@link AdmissionQueue#turn}, but asks for nobody who is known to be refused. */
    void turn(long nowNanos, Function<Guest, Verdict> ask, Consumer<Guest> timedOut) {
        waiting.values().forEach(kin -> kin.retriesRefused = 0);
        queue.turn(nowNanos, guest -> verdict(guest, ask), guest -> {
            forget(guest, guest.isRetry());
            timedOut.accept(guest);
        });
    }

    private Verdict verdict(Guest guest, Function<Guest, Verdict> ask) {
        Kin kin = Objects.requireNonNull(waiting.get(guest.chooser()));
        if (isHopeless(guest, kin)) {
            return isEverybodyHopeless() ? Verdict.ENDS_TURN : Verdict.PASSED_OVER;
        }
        // Who goes may have been failed by his backend, on his own loop, before this returns.
        boolean isRetry = guest.isRetry();
        Verdict verdict = ask.apply(guest);
        if (verdict == Verdict.GOES) {
            forget(guest, isRetry);
        } else if (verdict == Verdict.PASSED_OVER && isRetry) {
            kin.retriesRefused++;
        }
        return verdict;
    }

    private boolean isHopeless(Guest guest, Kin kin) {
        return full.contains(guest.chooser()) || (guest.isRetry() && kin.hasRefusedRetries());
    }

    private boolean isEverybodyHopeless() {
        return waiting.entrySet().stream()
                .allMatch(each -> full.contains(each.getKey())
                        || (each.getValue().firstTimers == 0 && each.getValue().hasRefusedRetries()));
    }
}
