// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a server looks at while it answers: a mapped file, whose pages are in memory as long as there is room for them. A
 * look at a page that was pushed out waits for the disk, as a hard page fault did on the paper's servers. The kernel is
 * told that looks are at random; otherwise it reads ahead, and on a full server reads what it must push out again before
 * anybody has seen it. Thread-safe.
 */
final class Documents {
    private static final int PAGE = 4096;
    private static final int PART = 1 << 20;
    private static final int MADV_RANDOM = 1;

    private final MemorySegment mapped;
    private final long pages;
    private final LongAdder seen = new LongAdder();

    private Documents(MemorySegment mapped) {
        this.mapped = mapped;
        this.pages = mapped.byteSize() / PAGE;
    }

    /**
     * Writes and maps them. By the process that will use them: page cache counts where it was first touched.
     *
     * @param bytes a multiple of 1 MiB
     */
    static Documents write(Path file, int bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            SplittableRandom random = new SplittableRandom(bytes);
            byte[] part = new byte[PART];
            while (channel.position() < bytes) {
                random.nextBytes(part);
                channel.write(ByteBuffer.wrap(part));
            }
            channel.force(true);
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, Arena.global());
            adviseRandom(mapped);
            return new Documents(mapped);
        }
    }

    @SuppressWarnings("restricted") // the JVM of a server is started with leave for native access
    private static void adviseRandom(MemorySegment mapped) throws IOException {
        Linker linker = Linker.nativeLinker();
        var madvise = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("madvise"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        int result;
        try {
            result = (int) madvise.invokeExact(mapped, mapped.byteSize(), MADV_RANDOM);
        } catch (Throwable e) {
            throw new IOException("madvise cannot be called", e);
        }
        if (result != 0) {
            throw new IOException("madvise refused");
        }
    }

    /** Looks at some pages drawn at random. */
    void lookAtRandom(int count) {
        SplittableRandom random = new SplittableRandom();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += look(random.nextLong(pages));
        }
        seen.add(sum);
    }

    /** Looks at every page. */
    void lookAtAll() {
        long sum = 0;
        for (long page = 0; page < pages; page++) {
            sum += look(page);
        }
        seen.add(sum);
    }

    /** What comes back must be used, or the compiler would leave the look out. */
    private byte look(long page) {
        return mapped.get(ValueLayout.JAVA_BYTE, page * PAGE);
    }
}
