// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Where requests wait that every backend is too tight for ({@link Rotation#WAIT}).
 *
 * <p>Waiting costs a few hundred bytes here and some megabytes there: a host that is pushed into paging serves nobody.
 * But nobody waits for long or without bound: beyond {@code capacity} a request is refused at once, and after {@code timeout}
 * it is given up, so that its client can be told to come back while it still listens.
 *
 * <p>Priority classes are asked in their order, each from its oldest request. A request that still finds no room does not
 * stop smaller ones behind it, but only {@link #MAX_REFUSALS} are asked per class and turn, so that a turn costs a
 * bounded time and the oldest are the first to see new room. A request that is known to find nothing, because of what was
 * said to another one of its kind, is passed over, which costs next to nothing and holds nobody up; when that is known of all, the turn ends.
 *
 * <p>Pure: time comes from outside. Not thread-safe. To be turned when a request ends, and some times a second while it is
 * not empty.
 *
 * @param <T> what waits, compared by {@code equals}
 */
public final class AdmissionQueue<T> {
    /** What a request is told that asks whether it may go now. */
    public enum Verdict {
        /** It may, and is sent. */
        GOES,
        /** It has to wait on: there was no room for it. */
        REFUSED,
        /** It has to wait on, and was not asked for: what holds it up holds up none of another kind. */
        PASSED_OVER,
        /** It has to wait on, and so has everybody who was not asked for yet. */
        ENDS_TURN
    }

    static final int MAX_REFUSALS = 4;

    private int capacity;
    private long timeoutNanos;
    private final List<ArrayDeque<Waiting<T>>> classes = new ArrayList<>();
    private int size;

    private record Waiting<T>(T request, long sinceNanos) {}

    /**
     * An empty queue.
     *
     * @param priorities number of priority classes, at least 1
     * @param capacity how many may wait in all classes together; 0 lets none wait
     * @param timeout how long one may wait
     */
    public AdmissionQueue(int priorities, int capacity, Duration timeout) {
        if (priorities < 1 || capacity < 0 || timeout.isNegative()) {
            throw new IllegalArgumentException("admission queue of " + priorities + " classes, capacity " + capacity
                    + ", timeout " + timeout + ": expected at least 1, 0 and 0");
        }
        this.capacity = capacity;
        this.timeoutNanos = timeout.toNanos();
        for (int i = 0; i < priorities; i++) {
            classes.add(new ArrayDeque<>());
        }
    }

    /** Lets so many wait for so long from now on; those who wait stay, even if they are more. */
    public void resize(int newCapacity, Duration newTimeout) {
        capacity = newCapacity;
        timeoutNanos = newTimeout.toNanos();
    }

    /**
     * Lets a request wait.
     *
     * @param priority 0 is served first; a number beyond the last class counts as the last
     * @param sinceNanos since when it waits: now, or earlier if it comes from another queue
     * @return false if the queue is full: refuse the request
     */
    public boolean offer(T request, int priority, long sinceNanos) {
        if (size >= capacity) {
            return false;
        }
        readmit(request, priority, sinceNanos);
        return true;
    }

    /** As {@link #offer}, for a request that waits already, elsewhere: it is not refused, even if the queue is full. */
    public void readmit(T request, int priority, long sinceNanos) {
        insert(classes.get(Math.clamp(priority, 0, classes.size() - 1)), new Waiting<>(request, sinceNanos));
        size++;
    }

    /** Behind all that wait for longer; nearly always at the end. */
    private static <T> void insert(ArrayDeque<Waiting<T>> waiting, Waiting<T> added) {
        var younger = new ArrayDeque<Waiting<T>>(0);
        while (!waiting.isEmpty() && waiting.getLast().sinceNanos - added.sinceNanos > 0) {
            younger.addFirst(waiting.removeLast());
        }
        waiting.add(added);
        waiting.addAll(younger);
    }

    /**
     * Gives up those that have waited too long, then asks for the others whether they may go now.
     *
     * @param admit sends the request, or lets it wait on; must not change the queue
     * @param timedOut told about each that is given up; must not change the queue
     */
    public void turn(long nowNanos, Function<? super T, Verdict> admit, Consumer<? super T> timedOut) {
        for (ArrayDeque<Waiting<T>> waiting : classes) {
            expire(waiting, nowNanos, timedOut);
        }
        Iterator<ArrayDeque<Waiting<T>>> each = classes.iterator();
        while (each.hasNext() && serve(each.next(), admit)) {}
    }

    private void expire(ArrayDeque<Waiting<T>> waiting, long nowNanos, Consumer<? super T> timedOut) {
        while (!waiting.isEmpty() && nowNanos - waiting.getFirst().sinceNanos >= timeoutNanos) {
            size--;
            timedOut.accept(waiting.removeFirst().request);
        }
    }

    /** Whether those of the next class are to be asked, too. */
    private boolean serve(ArrayDeque<Waiting<T>> waiting, Function<? super T, Verdict> admit) {
        int refusals = 0;
        for (Iterator<Waiting<T>> each = waiting.iterator(); each.hasNext() && refusals < MAX_REFUSALS; ) {
            switch (admit.apply(each.next().request)) {
                case GOES -> {
                    each.remove();
                    size--;
                }
                case REFUSED -> refusals++;
                case PASSED_OVER -> {}
                case ENDS_TURN -> {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Forgets a request whose client went away; linear in the number that wait.
     *
     * @return false if it does not wait here
     */
    public boolean remove(T request) {
        boolean removed = classes.stream().anyMatch(waiting -> waiting.removeIf(one -> one.request.equals(request)));
        size -= removed ? 1 : 0;
        return removed;
    }

    /** The first class in which somebody waits; the number of classes if nobody does. */
    public int firstClass() {
        int first = 0;
        while (first < classes.size() && classes.get(first).isEmpty()) {
            first++;
        }
        return first;
    }

    /** How many wait. */
    public int size() {
        return size;
    }
}
