// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds names, inodes and link counts of the file table against each other by a walk through all directories. Others go on
 * changing names meanwhile; so what does not fit is looked at once more, and counts only if it does not fit by then either.
 * Memory: some 100 bytes per name.
 */
final class NameCheck {
    /** Walks whose findings differ from one to the next show changes, not damage. */
    private static final int WALKS = 3;

    private final FileTable table;
    private final Map<Long, Inode> inodes = new HashMap<>();
    private final Map<Long, Integer> names = new HashMap<>();
    private final Map<Long, Integer> subdirectories = new HashMap<>();
    private final Map<Long, String> paths = new HashMap<>();
    private final Map<String, String> findings = new TreeMap<>();

    private NameCheck(FileTable table) {
        this.table = table;
    }

    static CompletableFuture<Void> run(FileTable table, FsckTally tally) {
        return walk(table, 1, null, tally);
    }

    private static CompletableFuture<Void> walk(
            FileTable table, int number, @Nullable Map<String, String> before, FsckTally tally) {
        NameCheck check = new NameCheck(table);
        return check.walk().thenCompose(nothing -> {
            if (before != null) {
                check.findings.keySet().retainAll(before.keySet());
            }
            if (!check.findings.isEmpty() && number < WALKS) {
                return walk(table, number + 1, check.findings, tally);
            }
            check.findings.values().forEach(tally::damage);
            tally.names.add(
                    check.names.values().stream().mapToLong(count -> count).sum());
            return check.countUnnamed(tally);
        });
    }

    private CompletableFuture<Void> countUnnamed(FsckTally tally) {
        return table.ask(new TableQuery.Usage())
                .thenAccept(used -> tally.unnamedInodes.add(Math.max(0, used.inodes() - inodes.size())));
    }

    private CompletableFuture<Void> walk() {
        return table.ask(new TableQuery.Get(Inode.ROOT)).thenCompose(root -> {
            inodes.put(Inode.ROOT, root.inode());
            paths.put(Inode.ROOT, "");
            return level(List.of(Inode.ROOT)).thenAccept(nothing -> compare());
        });
    }

    /** Reads directories one after the other, and then those in them. */
    private CompletableFuture<Void> level(List<Long> directories) {
        if (directories.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Long> below = new ArrayList<>();
        return Lanes.run(directories.size(), 1, index -> read(directories.get((int) index), null, below))
                .thenCompose(nothing -> level(below));
    }

    private CompletableFuture<Void> read(long directory, @Nullable String after, List<Long> below) {
        return table.ask(new TableQuery.Directory(directory, after, TableQuery.MAX_PAGE))
                .thenCompose(page -> {
                    page.entries().forEach(entry -> take(directory, entry, below));
                    return page.more()
                            ? read(directory, page.entries().getLast().name(), below)
                            : CompletableFuture.<Void>completedFuture(null);
                })
                .exceptionallyCompose(failure -> StorageException.unwrap(failure) instanceof TableRefusal
                        ? CompletableFuture.completedFuture(null) // removed meanwhile
                        : CompletableFuture.failedFuture(failure));
    }

    private void take(long directory, TableAnswer.Entry entry, List<Long> below) {
        Inode inode = entry.inode();
        String path = paths.get(directory) + "/" + entry.name();
        names.merge(inode.number(), 1, Integer::sum);
        inodes.put(inode.number(), inode);
        if (paths.putIfAbsent(inode.number(), path) != null && inode.isDirectory()) {
            found(path, "is a directory with another name, " + paths.get(inode.number()));
        } else if (inode.isDirectory()) {
            subdirectories.merge(directory, 1, Integer::sum);
            below.add(inode.number());
            if (inode.parent() != directory) {
                found(path, "says that it is in inode " + inode.parent() + ", expected " + directory);
            }
        }
    }

    private void compare() {
        inodes.forEach((number, inode) -> {
            int expected =
                    inode.isDirectory() ? 2 + subdirectories.getOrDefault(number, 0) : names.getOrDefault(number, 0);
            if (inode.links() != expected) {
                found(path(number), "has a link count of " + inode.links() + ", expected " + expected);
            }
            Content content = inode.content();
            if (content != null) {
                compare(path(number), content);
            }
        });
    }

    private String path(long number) {
        return number == Inode.ROOT ? "/" : String.valueOf(paths.get(number));
    }

    private void compare(String path, Content content) {
        Map<String, Long> lengths =
                content.segments().stream().collect(Collectors.toMap(Segment::generation, Segment::length));
        long end = 0;
        for (Extent extent : content.extents()) {
            boolean inSegment = extent.from() + extent.length() <= lengths.getOrDefault(extent.generation(), 0L);
            if (extent.at() < end || extent.end() > content.length() || !inSegment) {
                found(path, "has an extent at " + extent.at() + " that does not fit its segments or its length");
            }
            end = extent.end();
        }
    }

    private void found(String path, String what) {
        findings.put(path + what, path + ": " + what);
    }
}
