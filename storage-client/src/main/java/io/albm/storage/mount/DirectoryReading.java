// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.DirectorySink;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A directory that is read, page by page, in the order of its names. Thread-safe.
 *
 * <p>A cookie is the place of an entry among those that were given through this opening. The names of the last of them are
 * remembered, and reading goes on behind the name, not at a place: so whatever comes and goes meanwhile, an entry that stays
 * is given once. Of entries further back one in {@value #SPARSE} is remembered: to go back there by {@code seekdir} counts
 * on from that one, and is off by as many names as came and went in between.
 */
final class DirectoryReading {
    private static final long SELF = 1;
    private static final long ABOVE = 2;
    private static final int REMEMBERED = 4096;
    private static final int SPARSE = 512;
    private static final int FIRST_PAGE = 64;
    private static final int LEAST_PAGE = 16;

    private final long directory;
    private final Answers answers;
    private final Inodes inodes;
    private final NavigableMap<Long, String> names = new TreeMap<>();
    private int page = FIRST_PAGE;

    DirectoryReading(long directory, Answers answers, Inodes inodes) {
        this.directory = directory;
        this.answers = answers;
        this.inodes = inodes;
    }

    /** Gives the entries behind a cookie, until the sink takes no more. */
    synchronized void give(long cookie, DirectorySink sink) throws IOException, InterruptedException {
        if (cookie < ABOVE && !giveDots(cookie, sink)) {
            return;
        }
        long at = Math.max(cookie, ABOVE);
        Map.Entry<Long, String> known = names.floorEntry(at);
        long given = giveNames(at, known == null ? Map.entry(ABOVE, "") : known, sink);
        page = Math.clamp(given + given / 8, LEAST_PAGE, TableQuery.MAX_PAGE);
        long old = at + given - REMEMBERED;
        names.headMap(old).keySet().removeIf(place -> place % SPARSE != 0);
    }

    private boolean giveDots(long cookie, DirectorySink sink) throws IOException, InterruptedException {
        Versions.Seen before = inodes.before();
        Inode self = inodes.get(directory);
        return (cookie >= SELF || sink.add(".", inodes.shown(self, before), SELF))
                && sink.add("..", inodes.shown(inodes.get(self.parent()), before), ABOVE);
    }

    /**
     * Gives the entries behind a place.
     *
     * @param known the name at or before the place; empty before the first
     * @return how many
     */
    private long giveNames(long place, Map.Entry<Long, String> known, DirectorySink sink)
            throws IOException, InterruptedException {
        names.tailMap(place, false).clear();
        long at = known.getKey();
        String after = known.getValue();
        boolean more = true;
        while (more) {
            Versions.Seen before = inodes.before();
            TableAnswer.Entries answer =
                    answers.ask(new TableQuery.Directory(directory, after.isEmpty() ? null : after, page));
            for (TableAnswer.Entry entry : answer.entries()) {
                after = entry.name();
                boolean isBehind = at >= place;
                if (isBehind && !giveName(entry, before, at + 1, sink)) {
                    return at - place;
                }
                at++;
                names.put(at, after);
            }
            more = answer.more();
        }
        return Math.max(0, at - place);
    }

    /** Gives an entry, unless its file was removed since it was listed. @return false if the sink takes no more */
    private boolean giveName(TableAnswer.Entry entry, Versions.Seen before, long cookie, DirectorySink sink)
            throws IOException, InterruptedException {
        Attributes attributes;
        try {
            attributes = inodes.shown(entry.inode(), before);
        } catch (ErrnoException failure) {
            if (failure.errno() == Errno.ESTALE) {
                return true;
            }
            throw failure;
        }
        return sink.add(entry.name(), attributes, cookie);
    }
}
