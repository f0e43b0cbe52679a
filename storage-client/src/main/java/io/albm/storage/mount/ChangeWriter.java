// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StorageException;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableCommand;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was changed of a file into the storage. The changed ranges, and them alone, become a segment. Unless somebody
 * else changed the file meanwhile, one that is short enough to live in the file table is written as a whole, one that is too long
 * for that takes along what is there of it, and one in very many pieces some neighbouring ones ({@link Defragmentation}).
 * Memory is given back while it goes on. Not thread-safe.
 */
final class ChangeWriter {
    private static final int COPY_BYTES = 1 << 20;

    /** Extents of a file, from which on some become one when something is stored. */
    private static final int MANY_EXTENTS = 4000;

    /** Bytes that are written for that beside the changes. */
    private static final long MOST_MERGED_BYTES = 16 << 20;

    /** Extents of a file that it shall not have, whatever has to be written for that. */
    private static final int MOST_EXTENTS = 8000;

    /** Bytes in segments that nobody sees any more, beside as many as there are that somebody sees. */
    private static final long MOST_WASTE = 64 << 20;

    private final StripedFiles files;
    private final Answers answers;
    private final Inode stored;
    private final Changes changes;
    private final Changes.Stored below;
    private final @Nullable String lockedBy;
    private TableCommand.@Nullable Change last;

    /**
     * @param stored the file under the changes
     * @param below reads it
     * @param lockedBy the client whose locks the changes rest on; null if they rest on none
     */
    ChangeWriter(
            StripedFiles files,
            Answers answers,
            Inode stored,
            Changes changes,
            Changes.Stored below,
            @Nullable String lockedBy) {
        this.lockedBy = lockedBy;
        this.files = files;
        this.answers = answers;
        this.stored = stored;
        this.changes = changes;
        this.below = below;
    }

    /** The whole file with its changes on its way into the storage, to go on there. */
    SentAhead sendAhead() throws IOException, InterruptedException {
        AvoidedNodes avoided = new AvoidedNodes();
        while (true) {
            try {
                return new SentAhead(files, answers, avoided, whole(avoided.nodes(), Long.MAX_VALUE));
            } catch (StorageException failure) {
                avoided.add(failure);
            }
        }
    }

    /** A segment that is the file, whatever there was, but for what others have put behind it if there was nothing. */
    BiFunction<Segment, Long, TableCommand.Change> replacing() {
        return replacing(null);
    }

    private BiFunction<Segment, Long, TableCommand.Change> replacing(@Nullable Long base) {
        return (segment, crc32c) -> made(new TableCommand.Change(
                stored.number(),
                base,
                stored.size() == 0 ? null : 0L,
                List.of(),
                segment,
                Content.of(segment, crc32c).extents(),
                crc32c,
                null,
                false));
    }

    private TableCommand.Change made(TableCommand.Change change) {
        last = change.lockedBy(lockedBy);
        return last;
    }

    /** Whether the file, as it is after the last change, has more in it than was there before, and what was changed here. */
    boolean hasMetOthers(Inode after) {
        return last != null
                && !last.applyTo(Objects.requireNonNull(stored.content())).equals(after.content());
    }

    /** Stores the changes. What is in memory until then can be stored over other nodes if one does not do its part. */
    Inode store() throws IOException, InterruptedException {
        AvoidedNodes avoided = new AvoidedNodes();
        boolean merges = true;
        while (true) {
            try {
                return store(avoided.nodes(), merges);
            } catch (StorageException failure) {
                avoided.add(failure);
            } catch (ErrnoException failure) {
                if (!merges || failure.errno() != Errno.ESTALE) {
                    throw failure;
                }
                // Not again: what others have stored meanwhile must not get back what was there before.
                merges = false;
            }
        }
    }

    private Inode store(Set<NodeId> avoided, boolean merges) throws IOException, InterruptedException {
        Content content = Objects.requireNonNull(stored.content());
        List<Stretch> written = Stretch.joined(changes.written());
        long kept = content.extents().stream()
                .filter(extent -> extent.at() < changes.kept())
                .count();
        int extents = (int) kept + 2 * (written.size() + changes.holes().size());
        List<Stretch> merged = merges ? merged(content, extents) : List.of();
        boolean isShort = !written.isEmpty() && changes.size() <= InlineBytes.MOST;
        if (merges && (isShort || isMostlyWaste(content) || extents - Defragmentation.gain(merged) > MOST_EXTENTS)) {
            return whole(avoided, changes.size()).commit(replacing(content.fingerprint()));
        }
        if (written.isEmpty()) {
            return answers.finish(files.change(changing(null, null, List.of(), 0)));
        }
        List<Stretch> all =
                Stretch.joined(Stream.concat(written.stream(), merged.stream()).toList());
        Long base = merged.isEmpty() ? null : content.fingerprint();
        List<Extent> ranges = new ArrayList<>();
        long length = all.stream().mapToLong(Stretch::length).sum();
        return parts(all, ranges, avoided, length, false)
                .commit((segment, crc32c) -> changing(base, segment, ranges, crc32c));
    }

    private List<Stretch> merged(Content content, int extents) {
        return extents <= MANY_EXTENTS ? inTable(content) : defragmented(content, extents);
    }

    /** What is left of the file in the file table. */
    private List<Stretch> inTable(Content content) {
        Set<String> inline = content.segments().stream()
                .filter(Segment::isInline)
                .map(Segment::generation)
                .collect(Collectors.toSet());
        return content.extents().stream()
                .filter(extent -> inline.contains(extent.generation()) && extent.at() < changes.kept())
                .map(extent -> new Stretch(extent.at(), Math.min(extent.end(), changes.kept())))
                .toList();
    }

    private List<Stretch> defragmented(Content content, int extents) {
        List<Extent> kept = content.extents().stream()
                .filter(extent -> extent.end() <= changes.kept())
                .toList();
        List<Stretch> cheap = Defragmentation.of(kept, extents - MANY_EXTENTS, MOST_MERGED_BYTES);
        return extents - Defragmentation.gain(cheap) <= MOST_EXTENTS
                ? cheap
                : Defragmentation.of(kept, extents - MOST_EXTENTS, Long.MAX_VALUE);
    }

    private boolean isMostlyWaste(Content content) {
        return changes.size() > 0 && (content.storedBytes() - MOST_WASTE) / 2 > changes.size();
    }

    private Draft whole(Set<NodeId> avoided, long expectedBytes) throws IOException, InterruptedException {
        return parts(List.of(new Stretch(0, changes.size())), new ArrayList<>(), avoided, expectedBytes, true);
    }

    /** Parts of the changed file on their way into the storage, and where they belong. */
    private Draft parts(
            List<Stretch> parts, List<Extent> ranges, Set<NodeId> avoided, long expectedBytes, boolean isFile)
            throws IOException, InterruptedException {
        Draft next = Draft.begin(files, avoided, expectedBytes, isFile, answers);
        boolean isWhole = false;
        try {
            long from = 0;
            for (Stretch part : parts) {
                ranges.add(new Extent(part.start(), part.length(), next.generation(), from));
                from += part.length();
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(from, COPY_BYTES));
            for (List<Stretch> batch : Stretch.batches(parts, COPY_BYTES)) {
                read(batch, buffer.clear());
                next.append(buffer.flip());
            }
            isWhole = true;
            return next;
        } finally {
            if (!isWhole) {
                next.abandon();
            }
        }
    }

    /** Reads side by side: what is merged is in many places of the storage. */
    private void read(List<Stretch> parts, ByteBuffer target) throws IOException, InterruptedException {
        List<Future<?>> reads = new ArrayList<>();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Stretch part : parts) {
                ByteBuffer slice = target.slice(target.position(), (int) part.length());
                target.position(target.position() + slice.limit());
                reads.add(readers.submit(() -> {
                    changes.read(part.start(), slice, below);
                    return null;
                }));
            }
            for (Future<?> read : reads) {
                read.get();
            }
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure.getCause());
        }
    }

    private TableCommand.Change changing(
            @Nullable Long base, @Nullable Segment segment, List<Extent> ranges, long crc32c) {
        return made(new TableCommand.Change(
                stored.number(),
                base,
                changes.kept() < stored.size() ? changes.kept() : null,
                changes.holes(),
                segment,
                ranges,
                crc32c,
                changes.isResized() ? changes.size() : null,
                false));
    }
}
