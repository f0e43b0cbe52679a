// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.core.node.CounterSample;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * One server of paper P1, as far as routing can feel it.
 *
 * <p><b>Memory.</b> 512 MB, of which an idle server has 360 MB available: the system, the server and its files take the rest. A
 * request takes its memory when it begins and gives it back when its answer is delivered. An antagonist takes some too.
 *
 * <p><b>Paging.</b> The paper saw page reads shoot up while available memory fell from 135 MB to 83 MB, and throughput
 * collapse below. Here work slows down by 1 + (135 MB − available) ÷ 52 MB: not at all at 135 MB, twice at 83 MB, 3.6 times when
 * nothing is left, and on in that line as memory is swapped out. Slow requests hold their memory longer: that is how a
 * server tips over. A line is the mildest curve through the paper's two points; under a square the policies keep their
 * order, and those that let a server tip over lose more.
 *
 * <p><b>Processor.</b> Shared evenly by those that compute (processor sharing). Speed 1 is a whole processor; one server in four
 * has half. Who waits for a page holds its place like one who computes, so that slowness shows as run queue.
 *
 * <p><b>Workers.</b> 48 requests at once, about as many as the paper had client machines; further ones wait in the backlog and
 * take no memory. One whose client has gone is dropped when its turn comes.
 *
 * <p>Virtual time makes it cheap: {@code attained} is the work that each of those computing has got, and a request is done
 * when it has attained its demand.
 */
final class ServerModel {
    static final long MIB = 1L << 20;
    private static final double IDLE_AVAILABLE = 360.0 * MIB;
    private static final double PAGING_BEGINS = 135.0 * MIB;
    private static final double PAGING_DOUBLES = 83.0 * MIB;
    private static final int WORKERS = 48;

    private final Agenda agenda;
    private final double speed;
    private final ArrayDeque<Job> backlog = new ArrayDeque<>();
    private final PriorityQueue<Computing> computing = new PriorityQueue<>();
    private double used;
    private double antagonist;
    private double attained;
    private long updatedNanos;
    private int busyWorkers;
    private int version;
    private double busySeconds;
    private double runnableSeconds;
    private long sampledNanos;

    /**
     * One request to this server.
     *
     * @param wanted whether somebody still waits for the answer
     * @param done told when the answer is delivered, or the request dropped
     */
    record Job(double memoryBytes, double cpuSeconds, double holdSeconds, BooleanSupplier wanted, Runnable done) {}

    private record Computing(double doneAt, Job job) implements Comparable<Computing> {
        @Override
        public int compareTo(Computing other) {
            return Double.compare(doneAt, other.doneAt);
        }
    }

    ServerModel(Agenda agenda, double speed) {
        this.agenda = agenda;
        this.speed = speed;
    }

    /** Takes a request. */
    void accept(Job job) {
        if (busyWorkers < WORKERS) {
            begin(job);
        } else {
            backlog.add(job);
        }
    }

    private void begin(Job job) {
        advance();
        busyWorkers++;
        used += job.memoryBytes;
        computing.add(new Computing(attained + job.cpuSeconds, job));
        plan();
    }

    /** Lets another program take that much memory from now on. */
    void disturb(double memoryBytes) {
        advance();
        antagonist = memoryBytes;
        plan();
    }

    private void advance() {
        double seconds = (agenda.nowNanos() - updatedNanos) / Units.NANOS_PER_SECOND;
        attained += seconds * rate();
        int runnable = computing.size();
        busySeconds += runnable > 0 ? seconds : 0;
        runnableSeconds += seconds * runnable;
        updatedNanos = agenda.nowNanos();
    }

    private double rate() {
        return speed / slowdown() / Math.max(1, computing.size());
    }

    private double slowdown() {
        return 1 + Math.max(0, PAGING_BEGINS - available()) / (PAGING_BEGINS - PAGING_DOUBLES);
    }

    private double available() {
        return IDLE_AVAILABLE - used - antagonist;
    }

    private void plan() {
        int planned = ++version;
        if (!computing.isEmpty()) {
            double seconds = Math.max(0, computing.peek().doneAt - attained) / rate();
            agenda.after(Units.nanos(seconds) + 1, () -> {
                if (planned == version) {
                    finishDue();
                }
            });
        }
    }

    private void finishDue() {
        advance();
        while (!computing.isEmpty() && computing.peek().doneAt <= attained) {
            Job job = computing.remove().job;
            agenda.after(Units.nanos(job.holdSeconds), () -> deliver(job));
        }
        plan();
    }

    private void deliver(Job job) {
        advance();
        used -= job.memoryBytes;
        busyWorkers--;
        plan();
        job.done.run();
        beginNext();
    }

    private void beginNext() {
        while (!backlog.isEmpty() && busyWorkers < WORKERS) {
            Job next = backlog.remove();
            if (next.wanted.getAsBoolean()) {
                begin(next);
            } else {
                next.done.run();
            }
        }
    }

    /** What an agent would see, averages since it looked last. */
    CounterSample sample() {
        advance();
        double seconds = Math.max(1e-9, (updatedNanos - sampledNanos) / Units.NANOS_PER_SECOND);
        var sample = new CounterSample(
                Math.round(Math.max(0, available())),
                slowdown() - 1,
                runnableSeconds / seconds,
                Math.min(1, busySeconds / seconds),
                0,
                0);
        sampledNanos = updatedNanos;
        busySeconds = 0;
        runnableSeconds = 0;
        return sample;
    }
}
