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
    private Listings() {}

    static TableAnswer.Entries directory(FileNode directory, TableQuery.Directory query) {
        checkLimit(query.limit());
        NavigableMap<String, FileNode> rest =
                query.after() == null ? directory.names : directory.names.tailMap(query.after(), false);
        List<TableAnswer.Entry> page = new ArrayList<>();
        for (Map.Entry<String, FileNode> entry : rest.entrySet()) {
            if (page.size() == query.limit()) {
                return new TableAnswer.Entries(page, true);
            }
            page.add(new TableAnswer.Entry(entry.getKey(), entry.getValue().inode()));
        }
        return new TableAnswer.Entries(page, false);
    }

    private static void checkLimit(int limit) {
        if (limit < 1 || limit > TableQuery.MAX_PAGE) {
            throw new TableRefusal(Reason.INVALID, "page of " + limit + ": expected 1 to " + TableQuery.MAX_PAGE);
        }
    }

    static TableAnswer.Files files(FileNode root, TableQuery.Files query) {
        checkLimit(query.limit());
        Collected collected = new Collected(query.prefix(), query.after(), query.limit() + 1);
        collected.walk("/", root);
        boolean more = collected.found.size() > query.limit();
        return new TableAnswer.Files(more ? collected.found.subList(0, query.limit()) : collected.found, more);
    }

    /** Goes through the tree in the order of paths, past whole directories that cannot have any of the page. */
    private static final class Collected {
        private final String prefix;
        private final @Nullable String after;
        private final int limit;
        private final List<FileInfo> found = new ArrayList<>();

        Collected(String prefix, @Nullable String after, int limit) {
            this.prefix = prefix;
            this.after = after;
            this.limit = limit;
        }

        void walk(String above, FileNode directory) {
            for (Map.Entry<String, FileNode> entry : inPathOrder(directory).entrySet()) {
                if (found.size() == limit) {
                    return;
                }
                String path = above + entry.getKey();
                FileNode node = entry.getValue();
                if (node.isDirectory()) {
                    if (mayHold(path)) {
                        walk(path, node);
                    }
                } else if (node.isRegular() && path.startsWith(prefix) && isBehind(path)) {
                    found.add(FileInfo.of(path, node.inode()));
                }
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
