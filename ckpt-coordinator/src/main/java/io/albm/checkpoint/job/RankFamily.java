// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.rank.Processes;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A rank's process and all that came of it, wherever in the tree of processes: what is in its session, and what has its mark
 * in its environment, which stays with a process that has left the session. A process that has done both, left the session and
 * cleared its environment, is not found; nor is one of another user. {@code watch.sh} does the same for whom this process
 * cannot do it any more. Thread-safe.
 *
 * @param mark the value of {@link #MARK} in the rank's environment, of no other rank at any time
 * @param leader the pid of the rank's process, which leads its session
 * @param startMillis when it began, in milliseconds of the epoch; 0 if that was not known
 */
record RankFamily(String mark, long leader, long startMillis) {
    /** The variable in the environment of a rank that has its mark. */
    static final String MARK = "ALBM_WATCH";

    /** A process that is born or changes its program just now may be missed once, but not twice in a row. */
    private static final int LOOKS = 2;

    private static final long PAUSE_MILLIS = 50;
    private static final Executor KILLERS = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("rank-killer-", 0).factory());

    static RankFamily of(String mark, ProcessHandle leader) {
        return new RankFamily(mark, leader.pid(), startOf(leader));
    }

    private static long startOf(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** SIGKILL to all. Done when none of them can do anything any more; never fails. */
    CompletableFuture<Void> kill() {
        return CompletableFuture.runAsync(() -> killAll(true), KILLERS);
    }

    /**
     * The same for a family whose host process has ended. The number of its session may be another one's by now, unless its
     * leader is there still.
     *
     * @return whether there was one that lived
     */
    CompletableFuture<Boolean> killLeftOvers() {
        boolean leads = ProcessHandle.of(leader)
                .filter(handle -> startOf(handle) == startMillis)
                .isPresent();
        return CompletableFuture.supplyAsync(() -> killAll(leads), KILLERS);
    }

    private boolean killAll(boolean sessionCounts) {
        boolean anyLived = false;
        int missed = 0;
        while (missed < LOOKS) {
            List<ProcessHandle> alive = ProcessHandle.allProcesses()
                    .filter(process -> isAlive(process.pid(), sessionCounts))
                    .toList();
            alive.forEach(ProcessHandle::destroyForcibly);
            anyLived |= !alive.isEmpty();
            missed = alive.isEmpty() ? missed + 1 : 0;
            pause();
        }
        return anyLived;
    }

    private boolean isAlive(long pid, boolean sessionCounts) {
        return (sessionCounts && Processes.session(pid) == leader && !Processes.isDead(pid))
                || Processes.hasInEnvironment(pid, MARK + "=" + mark);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            // A killer that stops halfway would let them be believed dead.
        }
    }
}
