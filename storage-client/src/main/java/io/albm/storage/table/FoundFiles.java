// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Under which names files were found, and which of them somebody works with: a kernel believes what it is told of a file for a
 * second, unless the file is written to, or its size is set. Remembers the last 1024 files. Not thread-safe.
 */
final class FoundFiles {
    private static final int MOST = 1024;
    private static final long SOON = Duration.ofSeconds(1).toNanos();

    private final Map<Long, Found> files = new LinkedHashMap<>(16, 0.75f, true);

    /** @param asked when it was asked about last; null if it was not */
    private record Found(TouchedNames.Name name, @Nullable Long asked) {}

    /** A request was answered, which may tell of a name. */
    void answered(TableRequest<?> request, @Nullable TableAnswer answer) {
        switch (request) {
            case TableQuery.Lookup lookup
            when answer instanceof TableAnswer.Known known -> found(lookup.parent(), lookup.name(), known.inode());
            case TableCommand.Make make
            when answer instanceof TableAnswer.Known made -> found(make.parent(), make.name(), made.inode());
            case TableQuery.LookAhead ahead
            when answer instanceof TableAnswer.Entries entries ->
                entries.entries().stream()
                        .limit(1)
                        .forEach(first -> found(ahead.parent(), first.name(), first.inode()));
            default -> {}
        }
    }

    private void found(long directory, String name, Inode inode) {
        if (inode.isDirectory()) {
            return;
        }
        Found before = files.get(inode.number());
        Found now = new Found(new TouchedNames.Name(directory, name), before == null ? null : before.asked());
        files.put(inode.number(), now);
        if (files.size() > MOST) {
            files.remove(files.keySet().iterator().next());
        }
    }

    /** The name that a file had when it was found last; null if that is not known. */
    TouchedNames.@Nullable Name name(long inode) {
        Found found = files.get(inode);
        return found == null ? null : found.name();
    }

    /** A file is asked about. @return the directory of its name, if it was a moment ago, too; 0 otherwise */
    long asked(long inode, long now) {
        Found found = files.get(inode);
        if (found == null) {
            return 0;
        }
        files.put(inode, new Found(found.name(), now));
        return found.asked() != null && now - found.asked() < SOON
                ? found.name().directory()
                : 0;
    }
}
