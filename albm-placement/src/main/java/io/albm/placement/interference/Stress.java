// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * The neighbour of paper P4, under orders from its standard input, one a line, each answered with {@code ok} once it is
 * in effect:
 *
 * <ul>
 *   <li>{@code memory BYTES THREADS}: holds that much memory outside the heap and touches every page of it again and
 *       again;
 *   <li>{@code cpu PROCESSORS THREADS}: uses that many processors' time, such as 0.25, and no memory;
 *   <li>{@code idle}: gives everything back.
 * </ul>
 *
 * <p>It ends with its input.
 */
final class Stress {
    private static final int PAGE = 4096;
    private static final long PAUSE_NANOS = 5_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private Arena memory = Arena.ofShared();

    /** No arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Stress stress = new Stress();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            stress.obey(order.split(" ", -1));
            System.out.println("ok");
        }
        System.exit(0);
    }

    private void obey(String[] order) throws InterruptedException {
        idle();
        switch (order[0]) {
            case "memory" -> memory(Long.parseLong(order[1]), Integer.parseInt(order[2]));
            case "cpu" -> cpu(Double.parseDouble(order[1]), Integer.parseInt(order[2]));
            case "idle" -> {}
            default -> throw new IllegalArgumentException("unknown order " + order[0]);
        }
    }

    private void idle() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
        memory.close();
        memory = Arena.ofShared();
        stopping = false;
    }

    private void memory(long bytes, int count) throws InterruptedException {
        CountDownLatch touched = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            MemorySegment share = memory.allocate(bytes / count, PAGE);
            start(() -> touch(share, touched));
        }
        touched.await();
    }

    private void touch(MemorySegment share, CountDownLatch touched) {
        while (!stopping) {
            for (long page = 0; page < share.byteSize(); page += PAGE) {
                share.set(ValueLayout.JAVA_BYTE, page, (byte) page);
            }
            touched.countDown();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void cpu(double processors, int count) {
        for (int i = 0; i < count; i++) {
            start(() -> burn(processors / count));
        }
    }

    /** Keeps this thread's CPU time at its share of the time that has passed, whatever else runs. */
    private void burn(double share) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long start = System.nanoTime();
        while (!stopping) {
            while (clock.getCurrentThreadCpuTime() < share * (System.nanoTime() - start) && !stopping) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void start(Runnable work) {
        threads.add(Thread.ofPlatform().daemon().start(work));
    }
}
