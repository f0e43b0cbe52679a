// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.core.file.DirectOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the process limits itself, where the kernel may not be asked to: a pool of frames of 1 MiB that is made once
 * and never grows, shared by requests and documents as a database shares its buffers. A request takes free frames first
 * and then those of documents; looking at a document that lost its frame reads a page from the disk, past the kernel's
 * page cache. A frame that is free takes back the document that is looked at next.
 */
final class OwnMemory implements ServerMemory {
    static final int FRAME = 1 << 20;
    private static final int PAGE = 4096;
    private static final int OUT = -1;
    private static final int BEING_READ = -2;
    private static final int ALL_HELD = 10;

    private final FileChannel file;
    private final MemorySegment frames;
    private final AtomicIntegerArray frameOf;
    private final Deque<Integer> free = new ArrayDeque<>();
    private final int mostHeld;
    private final LongAdder seen = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private int held;
    private int hand;

    /**
     * For one server.
     *
     * @param documents a file of whole frames, on a disk
     * @param frameCount frames of the pool
     * @param mostHeld frames that requests may hold at a time
     */
    OwnMemory(Path documents, int frameCount, int mostHeld) throws IOException {
        this.file = FileChannel.open(documents, StandardOpenOption.READ, DirectOption.get());
        this.frames = Arena.global().allocate((long) frameCount * FRAME, PAGE);
        int[] nowhere = new int[Math.toIntExact(file.size() / FRAME)];
        Arrays.fill(nowhere, OUT);
        this.frameOf = new AtomicIntegerArray(nowhere);
        this.mostHeld = mostHeld;
        for (int i = 0; i < frameCount; i++) {
            free.add(i);
        }
    }

    @Override
    public Optional<Held> hold(long bytes) {
        int[] taken = take(Math.toIntExact((bytes + FRAME - 1) / FRAME));
        if (taken == null) {
            return Optional.empty();
        }
        for (int frame : taken) {
            segment(frame).fill((byte) 0);
        }
        return Optional.of(() -> giveBack(taken));
    }

    private synchronized int @Nullable [] take(int count) {
        if (held + count > mostHeld) {
            return null;
        }
        while (free.size() < count) {
            if (!pushOut()) {
                return null;
            }
        }
        held += count;
        int[] taken = new int[count];
        Arrays.setAll(taken, _ -> free.remove());
        return taken;
    }

    private synchronized void giveBack(int[] taken) {
        Arrays.stream(taken).forEach(free::add);
        held -= taken.length;
        notifyAll();
    }

    private boolean pushOut() {
        for (int step = 0; step < frameOf.length(); step++) {
            hand = (hand + 1) % frameOf.length();
            int frame = frameOf.get(hand);
            if (frame >= 0) {
                frameOf.set(hand, OUT);
                free.add(frame);
                return true;
            }
        }
        return false;
    }

    @Override
    public void look(int pages) {
        SplittableRandom random = new SplittableRandom();
        long sum = 0;
        for (int i = 0; i < pages; i++) {
            int document = random.nextInt(frameOf.length());
            sum += look(document, random.nextInt(FRAME / PAGE));
        }
        seen.add(sum);
    }

    private byte look(int document, int page) {
        int frame = frameOf.get(document);
        return frame >= 0 ? segment(frame).get(ValueLayout.JAVA_BYTE, (long) page * PAGE) : miss(document, page);
    }

    private byte miss(int document, int page) {
        reads.increment();
        int frame = freeFrameFor(document);
        if (frame >= 0) {
            read(segment(frame).asByteBuffer(), (long) document * FRAME);
            frameOf.set(document, frame);
            return segment(frame).get(ValueLayout.JAVA_BYTE, (long) page * PAGE);
        }
        ByteBuffer one = ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE).limit(PAGE);
        read(one, (long) document * FRAME + (long) page * PAGE);
        return one.get(0);
    }

    private synchronized int freeFrameFor(int document) {
        return !free.isEmpty() && frameOf.compareAndSet(document, OUT, BEING_READ) ? free.remove() : OUT;
    }

    private void read(ByteBuffer into, long from) {
        try {
            for (int read = 0; into.hasRemaining() && read >= 0; ) {
                read = file.read(into, from + into.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void restore() {
        awaitNothingHeld();
        for (int document = 0; document < frameOf.length(); document++) {
            look(document, 0);
        }
    }

    private synchronized void awaitNothingHeld() {
        while (held > 0) {
            try {
                wait(ALL_HELD);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private MemorySegment segment(int frame) {
        return frames.asSlice((long) frame * FRAME, FRAME);
    }

    /** Bytes in use, documents included. */
    synchronized long usedBytes() {
        return frames.byteSize() - (long) free.size() * FRAME;
    }

    /** Bytes of documents in memory. */
    synchronized long documentBytes() {
        return usedBytes() - (long) held * FRAME;
    }

    /** Looks so far that waited for the disk. */
    long reads() {
        return reads.sum();
    }
}
