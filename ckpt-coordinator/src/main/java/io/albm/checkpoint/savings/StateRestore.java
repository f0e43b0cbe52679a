// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.PackId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Puts a state together: first from copies, whatever they are, then only what is missing from packs. Every page is
 * held against its hash before it is written.
 *
 * <p>Of a pack, batches that are needed and follow one another are read at once, up to {@link #WINDOW_BYTES}, and the
 * next such range while the one before is unpacked; so memory is bounded by two of them. For one thread.
 */
public final class StateRestore {
    /** What is read of a pack at once: a stripe of four units of 1 MiB, so that four nodes send side by side. */
    private static final int WINDOW_BYTES = 4 << 20;

    /** Larger than every directory of a pack of some GiB. */
    private static final int TAIL_BYTES = 64 << 10;

    private final StateIndex index;
    private final PageTarget target;
    private final PageCheck check;
    private final BitSet missing = new BitSet();
    private int wholePages;

    /** @param target has the state's length, and zeros */
    public StateRestore(StateIndex index, PageTarget target, PageCheck check) {
        this.index = index;
        this.target = target;
        this.check = check;
        IntStream.range(0, index.pages()).filter(page -> !index.isZero(page)).forEach(missing::set);
    }

    /**
     * Takes what is right in a copy of perhaps another checkpoint.
     *
     * @return how many bytes that were
     */
    public long takeFrom(PageSource copy) throws IOException {
        byte[] bytes = new byte[index.pageBytes()];
        long taken = 0;
        for (int page = missing.nextSetBit(0); page >= 0; page = missing.nextSetBit(page + 1)) {
            int count = copy.read(offset(page), bytes, length(page));
            if (count == 0) {
                break; // It ends before this page, and before all that follow; none of them is zeros.
            }
            Arrays.fill(bytes, count, bytes.length, (byte) 0);
            if (check.isRight(index, page, bytes, 0)) {
                put(page, bytes, 0);
                taken += length(page);
            }
        }
        return taken;
    }

    /** Bytes that no copy had. */
    public long missingBytes() {
        return missing.stream().mapToLong(this::length).sum();
    }

    /** Bytes from the beginning on that are in place, up to the first page that is missing. */
    public long wholeBytes() {
        int page = missing.nextSetBit(wholePages);
        wholePages = page < 0 ? index.pages() : page;
        return page < 0 ? index.size() : offset(page);
    }

    /** What is done between two windows. */
    @FunctionalInterface
    public interface Meanwhile {
        void run() throws IOException;
    }

    /** Packs that have what is still missing. */
    public List<PackId> needed() {
        return missing.stream()
                .mapToObj(page -> index.place(page).pack())
                .distinct()
                .toList();
    }

    /** The same, with nothing to be done meanwhile. */
    public void takeFrom(PackId id, PackSource pack) throws IOException {
        takeFrom(id, pack, () -> {});
    }

    /**
     * Takes what is missing and in this pack.
     *
     * @param meanwhile done each time when a window is in place, while the next one is read
     * @throws LostDataException if the pack has not what the index says
     */
    public void takeFrom(PackId id, PackSource pack, Meanwhile meanwhile) throws IOException {
        try {
            takeWanted(id, pack, meanwhile);
        } catch (LostDataException lost) {
            throw new LostDataException("pack of " + id + ": " + lost.getMessage(), lost);
        }
    }

    private void takeWanted(PackId id, PackSource pack, Meanwhile meanwhile) throws IOException {
        PackDirectory directory = directory(pack);
        List<Wanted> wanted = wanted(id, directory);
        int from = 0;
        CompletableFuture<byte[]> read = wanted.isEmpty() ? null : read(pack, directory, wanted, 0);
        while (read != null) {
            int end = windowEnd(directory, wanted, from);
            CompletableFuture<byte[]> next = end == wanted.size() ? null : read(pack, directory, wanted, end);
            unpack(directory, wanted.subList(from, end), await(read));
            meanwhile.run();
            from = end;
            read = next;
        }
    }

    /** A batch, and which pages it has by their ordinals. */
    private record Wanted(int batch, List<PageOf> pages) {}

    private record PageOf(int page, int ordinal) {}

    private List<Wanted> wanted(PackId id, PackDirectory directory) {
        List<PageOf> pages = missing.stream()
                .filter(page -> index.place(page).pack().equals(id))
                .mapToObj(page -> new PageOf(page, index.place(page).ordinal()))
                .sorted((a, b) -> Integer.compare(a.ordinal, b.ordinal))
                .toList();
        List<Wanted> wanted = new ArrayList<>();
        for (PageOf page : pages) {
            int batch = directory.batchOf(page.ordinal);
            if (wanted.isEmpty() || wanted.getLast().batch != batch) {
                wanted.add(new Wanted(batch, new ArrayList<>()));
            }
            wanted.getLast().pages.add(page);
        }
        return wanted;
    }

    private static int windowEnd(PackDirectory directory, List<Wanted> wanted, int from) {
        long start = directory.start(wanted.get(from).batch);
        int end = from + 1;
        while (end < wanted.size()
                && wanted.get(end).batch == wanted.get(end - 1).batch + 1
                && directory.end(wanted.get(end).batch) - start <= WINDOW_BYTES) {
            end++;
        }
        return end;
    }

    private static CompletableFuture<byte[]> read(
            PackSource pack, PackDirectory directory, List<Wanted> wanted, int from) {
        long start = directory.start(wanted.get(from).batch);
        long end = directory.end(wanted.get(windowEnd(directory, wanted, from) - 1).batch);
        return pack.read(start, Math.toIntExact(end - start));
    }

    private void unpack(PackDirectory directory, List<Wanted> batches, byte[] stored) throws IOException {
        long start = directory.start(batches.getFirst().batch);
        for (Wanted wanted : batches) {
            byte[] pages = directory.expand(wanted.batch, stored, (int) (directory.start(wanted.batch) - start));
            for (PageOf page : wanted.pages) {
                int at = directory.offsetInBatch(page.ordinal);
                if (!check.isRight(index, page.page, pages, at)) {
                    throw new LostDataException("page " + page.ordinal + " is not what was stored");
                }
                put(page.page, pages, at);
            }
        }
    }

    private void put(int page, byte[] bytes, int from) throws IOException {
        target.write(offset(page), bytes, from, length(page));
        missing.clear(page);
    }

    private long offset(int page) {
        return (long) page * index.pageBytes();
    }

    private int length(int page) {
        return (int) Math.min(index.pageBytes(), index.size() - offset(page));
    }

    private PackDirectory directory(PackSource pack) throws IOException {
        if (pack.bytes() < PackDirectory.FOOTER_BYTES) {
            throw new LostDataException(pack.bytes() + " bytes, and no directory");
        }
        ByteBuffer tail = tail(pack, TAIL_BYTES);
        int length =
                PackDirectory.length(tail.slice(tail.limit() - PackDirectory.FOOTER_BYTES, PackDirectory.FOOTER_BYTES));
        if (length > pack.bytes()) {
            throw new LostDataException(pack.bytes() + " bytes, and a directory of " + length);
        }
        ByteBuffer all = length > tail.limit() ? tail(pack, length) : tail;
        return PackDirectory.of(all.slice(all.limit() - length, length), pack.bytes(), index.pageBytes());
    }

    private static ByteBuffer tail(PackSource pack, int atMost) throws IOException {
        int length = (int) Math.min(atMost, pack.bytes());
        return ByteBuffer.wrap(await(pack.read(pack.bytes() - length, length)));
    }

    private static byte[] await(CompletableFuture<byte[]> read) throws IOException {
        try {
            return read.join();
        } catch (CompletionException failure) {
            switch (failure.getCause()) {
                case IOException io -> throw io;
                case RuntimeException bug -> throw bug;
                case null, default -> throw new IOException(failure);
            }
        }
    }
}
