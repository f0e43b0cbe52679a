// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.StoragePath;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One walk from the top along a path, which remembers the directories it went through. Symbolic links are not followed. */
final class PathWalk {
    private final Namespace names;
    private final List<FileNode> directories = new ArrayList<>();
    private List<String> segments = List.of();

    PathWalk(Namespace names) {
        this.names = names;
    }

    /** The node at the end of the path; null if a name on the way is missing. */
    @Nullable
    FileNode lookAlong(StoragePath path) {
        segments = path.segments();
        directories.clear();
        FileNode at = names.root();
        for (String segment : segments) {
            if (!at.isDirectory()) {
                throw new TableRefusal(Reason.NOT_DIRECTORY, path + ": a name on the way is no directory's");
            }
            directories.add(at);
            at = at.names.get(segment);
            if (at == null) {
                return null;
            }
        }
        return at;
    }

    /** How many names of the path are not there. */
    int missing(StoragePath path) {
        return lookAlong(path) == null ? segments.size() - directories.size() + 1 : 0;
    }

    FileNode find(StoragePath path) {
        FileNode found = lookAlong(path);
        if (found == null) {
            throw new TableRefusal(Reason.NO_ENTRY, path + ": no such name");
        }
        return found;
    }

    /** The directory that the last name is in. */
    FileNode parent() {
        return directories.getLast();
    }

    /** Makes a file at the end of the path, and what is missing on the way. Refused, it has made nothing. */
    FileNode make(StoragePath path, int directoryMode, int fileMode, Instant now) {
        names.checkRoom(segments, missing(path));
        FileNode at = parent();
        for (String directory : segments.subList(directories.size() - 1, segments.size() - 1)) {
            at = names.make(at.number, directory, directoryMode, now);
            at.implied = true;
        }
        return names.make(at.number, segments.getLast(), fileMode, now);
    }

    /** Removes the empty directories on the way that nobody asked for, from the end on. */
    void prune(Instant now) {
        for (int i = directories.size() - 1; i > 0; i--) {
            FileNode directory = directories.get(i);
            if (!directory.implied || !directory.names.isEmpty()) {
                return;
            }
            names.removeDirectory(directories.get(i - 1), segments.get(i - 1), now);
        }
    }
}
