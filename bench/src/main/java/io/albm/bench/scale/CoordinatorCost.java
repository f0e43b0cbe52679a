// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * The coordinator's loop, with what it takes: processor time of this thread and bytes that it allocates, of the coordinator's work
 * alone. What the collector and the compilers do on threads of their own is not in it. Not thread-safe.
 */
final class CoordinatorCost implements Executor {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final VirtualTime time;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean working;
    private long cpuNanos;
    private long allocatedBytes;

    CoordinatorCost(VirtualTime time) {
        this.time = time;
    }

    /** Does it next, as a loop does. */
    @Override
    public void execute(Runnable work) {
        waiting.add(work);
        if (!working) {
            time.after(Duration.ZERO, () -> run(() -> {}));
        }
    }

    /** Does it now, and then what waits; all of it counts. */
    void run(Runnable work) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        working = true;
        work.run();
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
        working = false;
        cpuNanos += THREADS.getCurrentThreadCpuTime() - cpu;
        allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }

    long cpuNanos() {
        return cpuNanos;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }
}
