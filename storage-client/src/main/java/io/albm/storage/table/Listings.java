// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.FileInfo;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Pages of names. */
final class Listings {
    /** Extents of all files of a page, beyond which it ends. */
    private static final int MOST_EXTENTS = 10_000;

    /** Bytes of files in the table, of targets of links and of names of attributes, of all files of a page, beyond which it ends. */
    private static final long MOST_BYTES = 1 << 20;

    private Listings() {}

    static TableAnswer.Entries directory(FileNode directory, TableQuery.Directory query) {
        return page(
                query.after() == null ? directory.names : directory.names.tailMap(query.after(), false), query.limit());
    }

    static TableAnswer.Entries from(FileNode directory, TableQuery.LookAhead query) {
        return page(directory.names.tailMap(query.name(), true), query.limit());
    }

    private static TableAnswer.Entries page(NavigableMap<String, FileNode> rest, int limit) {
        checkLimit(limit);
        List<TableAnswer.Entry> page = new ArrayList<>();
        Weight weight = new Weight();
        for (Map.Entry<String, FileNode> entry : rest.entrySet()) {
            if (page.size() == limit || weight.isTooMuch()) {
                return new TableAnswer.Entries(page, true);
            }
            weight.add(entry.getValue());
            page.add(new TableAnswer.Entry(entry.getKey(), entry.getValue().inode()));
        }
        return new TableAnswer.Entries(page, false);
    }

    /** What a page has by now: it has to fit into a frame. */
    private static final class Weight {
        private long extents;
        private long bytes;

        void add(FileNode file) {
            extents += file.content.extents().size();
            bytes += file.content.inlineBytes() + file.shownBytes();
        }

        boolean isTooMuch() {
            return extents > MOST_EXTENTS || bytes > MOST_BYTES;
        }
    }

    private static void checkLimit(int limit) {
        if (limit < 1 || limit > TableQuery.MAX_PAGE) {
            throw new TableRefusal(Reason.INVALID, "page of " + limit + ": expected 1 to " + TableQuery.MAX_PAGE);
        }
    }

    static TableAnswer.Files files(FileNode root, TableQuery.Files query) {
        checkLimit(query.limit());
        Collected collected = new Collected(query.prefix(), query.after(), query.limit());
        collected.walk("/", root);
        return new TableAnswer.Files(collected.found, collected.more);
    }

    /** Goes through the tree in the order of paths, past whole directories that cannot have any of the page. */
    private static final class Collected {
        private final String prefix;
        private final @Nullable String after;
        private final int limit;
        private final List<FileInfo> found = new ArrayList<>();
        private final Weight weight = new Weight();
        private boolean more;

        Collected(String prefix, @Nullable String after, int limit) {
            this.prefix = prefix;
            this.after = after;
            this.limit = limit;
        }

        void walk(String above, FileNode directory) {
            for (Map.Entry<String, FileNode> entry : inPathOrder(directory).entrySet()) {
                if (more) {
                    return;
                }
                String path = above + entry.getKey();
                FileNode node = entry.getValue();
                if (node.isDirectory()) {
                    if (mayHold(path)) {
                        walk(path, node);
                    }
                } else if (node.isRegular() && path.startsWith(prefix) && isBehind(path)) {
                    add(path, node);
                }
            }
        }

        private void add(String path, FileNode file) {
            more = found.size() == limit || weight.isTooMuch();
            if (!more) {
                found.add(FileInfo.of(path, file.inode()));
                weight.add(file);
            }
        }

        /** A directory's name counts with the slash behind it, as in the paths of what is in it. */
        private static Map<String, FileNode> inPathOrder(FileNode directory) {
            Map<String, FileNode> ordered = new TreeMap<>();
            directory.names.forEach((name, node) -> ordered.put(node.isDirectory() ? name + "/" : name, node));
            return ordered;
        }

        private boolean mayHold(String directory) {
            boolean byPrefix = directory.startsWith(prefix) || prefix.startsWith(directory);
            return byPrefix && (isBehind(directory) || String.valueOf(after).startsWith(directory));
        }

        private boolean isBehind(String path) {
            return after == null || path.compareTo(after) > 0;
        }
    }
}
