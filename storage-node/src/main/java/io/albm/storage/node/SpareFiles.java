// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Files of removed blocks, kept to be written again in the place of new ones. Such a file has its inode and its extents, and often
 * its pages in the kernel's memory: to write it costs the file system a fraction of what a new one does, and its removal is
 * a renaming, and an fsync for all of a generation. It is how PostgreSQL recycles segments of its log.
 *
 * <p>A spare file has a name under {@link BlockStore#TEMPORARY} and is removed by the next start, as all files there. Only one that
 * nobody else can see may be written over: not one that is {@linkplain BlockReads being read}, nor one that has another name, which an
 * operator may have given it. Only files of whole pages are kept, as full units are:
 * another length hardly comes again. What cannot be kept or removed fails nobody: a full disk must be able to lose blocks.
 *
 * <p>Bound: bytes, as set, and {@value #MOST_FILES} files; for one more, the oldest go. Thread-safe.
 */
final class SpareFiles {
    /** What is kept if nobody says otherwise. */
    static final long DEFAULT_BYTES = 256L << 20;

    private static final int MOST_FILES = 4096;

    /** Of all that is kept, what a directory must bring to be worth an fsync. */
    private static final int LEAST_SHARE = 256;

    private final BlockDisk disk;
    private final BlockReads reads;
    private final Supplier<String> names;
    private final long most;

    /** Their lengths, the oldest first. */
    private final Map<String, Long> lengths = new LinkedHashMap<>();

    private final Map<Long, Deque<String>> ofLength = new HashMap<>();
    private long bytes;

    /**
     * @param names that were never used
     * @param most bytes; 0 keeps none
     */
    SpareFiles(BlockDisk disk, BlockReads reads, Supplier<String> names, long most) {
        this.disk = disk;
        this.reads = reads;
        this.names = names;
        this.most = most;
    }

    /** Bytes of all of them. */
    synchronized long bytes() {
        return bytes;
    }

    /** Bytes that the disk has free, and would have without them. */
    synchronized long usableBytes() throws IOException {
        return disk.usableBytes() + bytes;
    }

    /**
     * Takes those files of a directory that may be written again; leaves the others where they are. Their names there are durably gone
     * before: after a loss of power one that came back would count for its block.
     */
    void keep(String directory, List<BlockDisk.Entry> files) {
        List<BlockDisk.Entry> fit = files.stream()
                .filter(file -> file.bytes() <= most && BlockFormat.isOfWholePages(file.bytes()))
                .toList();
        if (fit.isEmpty() || fit.stream().mapToLong(BlockDisk.Entry::bytes).sum() < most / LEAST_SHARE) {
            return;
        }
        Map<String, Long> taken = new LinkedHashMap<>();
        fit.forEach(file -> setAside(directory + "/" + file.name()).ifPresent(spare -> taken.put(spare, file.bytes())));
        try {
            disk.syncDirectory(directory);
        } catch (IOException maybeNotGone) {
            taken.keySet().forEach(this::delete);
            return;
        }
        taken.forEach(this::add);
    }

    /** @return its name among the temporary files, if nobody else may still see it */
    private Optional<String> setAside(String file) {
        String spare = names.get();
        try {
            disk.rename(file, spare);
        } catch (IOException noRoomForTheName) {
            return Optional.empty();
        }
        // Asked after the renaming: nobody opens it, or links to it, any more who has not done so by now.
        if (reads.isRead(file) || hasOtherNames(spare)) {
            delete(spare);
            return Optional.empty();
        }
        return Optional.of(spare);
    }

    private boolean hasOtherNames(String spare) {
        try {
            return disk.hasOtherNames(spare);
        } catch (IOException unknown) {
            return true;
        }
    }

    private void delete(String spare) {
        try {
            disk.delete(spare);
        } catch (IOException leftToTheNextStart) {
            // It takes its room until then, which is looked at before each write.
        }
    }

    private synchronized void add(String spare, long length) {
        lengths.put(spare, length);
        ofLength.computeIfAbsent(length, none -> new ArrayDeque<>()).addLast(spare);
        bytes += length;
        leave(most);
    }

    /** The file of that length that came last, of which the kernel has most in memory. It is the caller's from now on. */
    synchronized @Nullable String take(long length) {
        return ofLength.containsKey(length) ? remove(length, Deque::removeLast) : null;
    }

    /** Removes the oldest until the others take no more than that. */
    synchronized void leave(long most) {
        while (bytes > Math.max(0, most) || lengths.size() > MOST_FILES) {
            delete(remove(lengths.values().iterator().next(), Deque::removeFirst));
        }
    }

    private String remove(long length, Function<Deque<String>, String> end) {
        Deque<String> files = Objects.requireNonNull(ofLength.get(length));
        String spare = end.apply(files);
        lengths.remove(spare);
        bytes -= length;
        if (files.isEmpty()) {
            ofLength.remove(length);
        }
        return spare;
    }
}
