// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.node.Role;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Stops the processes of a local cluster: SIGTERM, a bounded wait in which they drain, SIGKILL for what is left.
 * ZooKeeper goes last, because the others leave the cluster through it.
 */
final class Shutdown {
    private static final long POLL_MILLIS = 20;
    private static final Duration KILL_BOUND = Duration.ofSeconds(5);

    private Shutdown() {}

    /** Returns those that had to be killed. */
    static List<ClusterProcess> stop(Collection<ClusterProcess> processes, Duration bound) {
        List<ClusterProcess> first = stop(processes, process -> process.role() != Role.ZOOKEEPER, bound);
        List<ClusterProcess> last = stop(processes, process -> process.role() == Role.ZOOKEEPER, bound);
        return Stream.concat(first.stream(), last.stream()).toList();
    }

    private static List<ClusterProcess> stop(
            Collection<ClusterProcess> all, Predicate<ClusterProcess> which, Duration bound) {
        List<ClusterProcess> processes = all.stream().filter(which).toList();
        processes.forEach(process -> process.identity().terminate());
        awaitUntil(() -> ClusterFile.alive(processes).isEmpty(), bound);
        List<ClusterProcess> left = ClusterFile.alive(processes);
        left.forEach(process -> process.identity().kill());
        awaitUntil(() -> ClusterFile.alive(left).isEmpty(), KILL_BOUND);
        return left;
    }

    /** Whether the condition came true within the bound. Looks at /proc, since they need not be our children. */
    static boolean awaitUntil(BooleanSupplier condition, Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process", e);
        }
    }
}
