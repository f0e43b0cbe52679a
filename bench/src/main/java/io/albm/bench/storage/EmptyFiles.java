// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Makes empty files in one directory for some time, then looks at each of them, then removes each, as mdtest does: every
 * phase begins when all processes are there. Prints a {@link Tally} of operations for each phase.
 */
public final class EmptyFiles {
    /** So that the quickest file system does not fill the disk with names. */
    static final int MOST = 20_000;

    private static final Duration BARRIER_BOUND = Duration.ofMinutes(1);

    private final Names names;
    private final String prefix;

    private EmptyFiles(Names names, String prefix) {
        this.names = names;
        this.prefix = prefix;
    }

    /**
     * {@code LOCATION NUMBER PROCESSES BARRIER MILLISECONDS}; the barrier is a file that all can see. Its name is part of all
     * names, so that whatever a run leaves behind that failed is not in the way of the next.
     */
    public static void main(String... arguments) {
        String location = arguments[0];
        String number = arguments[1];
        int processes = Integer.parseInt(arguments[2]);
        Path barrier = Path.of(arguments[3]);
        Duration time = Duration.ofMillis(Long.parseLong(arguments[4]));
        System.exit(Program.status(() -> new EmptyFiles(Names.at(location), barrier.getFileName() + "-" + number + "-")
                .run(new Barrier(barrier, processes), time)));
    }

    private void run(Barrier barrier, Duration time) throws IOException, InterruptedException {
        barrier.await();
        Tally created = create(time);
        System.out.println(created);
        barrier.await();
        System.out.println(each(created.amount(), names::stat));
        barrier.await();
        System.out.println(each(created.amount(), names::remove));
    }

    private Tally create(Duration time) throws IOException {
        long begin = System.nanoTime();
        int made = 0;
        while (made < MOST && System.nanoTime() - begin < time.toNanos()) {
            names.create(prefix + made);
            made++;
        }
        return Tally.since(begin, made);
    }

    private Tally each(long count, Step step) throws IOException {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            step.on(prefix + i);
        }
        return Tally.since(begin, count);
    }

    /** What is done with a name. */
    private interface Step {
        void on(String name) throws IOException;
    }

    /** Where processes wait for each other: a counter in a file that all of them map. */
    private static final class Barrier {
        private static final VarHandle COUNTER =
                MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

        private final MappedByteBuffer counter;
        private final int processes;
        private int passed;

        Barrier(Path file, int processes) throws IOException {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                counter = channel.map(FileChannel.MapMode.READ_WRITE, 0, Integer.BYTES);
            }
            this.processes = processes;
        }

        void await() throws IOException, InterruptedException {
            COUNTER.getAndAdd(counter, 0, 1);
            passed += processes;
            long deadline = System.nanoTime() + BARRIER_BOUND.toNanos();
            while ((int) COUNTER.getVolatile(counter, 0) < passed) {
                if (System.nanoTime() > deadline) {
                    throw new IOException(
                            "the other processes did not come within " + BARRIER_BOUND.toSeconds() + " s");
                }
                Thread.sleep(1);
            }
        }
    }
}
