// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who has locked which parts of which files. A lock belongs to an owner within a client, and ends with the client's session at
 * the latest. Part of {@link TableState}: nobody waits in here.
 *
 * <p>Bounded: {@value #MOST} locks in all, {@value #MOST_PER_CLIENT} of a client, {@value #MOST_PER_FILE} on a file; what would
 * be more is refused with {@link Reason#NO_LOCKS}, a split by an unlock, too. One takes some 150 bytes, so all of them 10 MB.
 * A step costs O(owners on the file). Not thread-safe.
 */
final class LockTable {
    static final int MOST = 65_536;
    static final int MOST_PER_CLIENT = 16_384;
    static final int MOST_PER_FILE = 4096;

    private final Map<Long, LockedFile> files = new TreeMap<>();
    private final Map<String, Integer> byClient = new HashMap<>();
    private int count;

    private record Holder(String client, LockOwner owner) implements Comparable<Holder> {
        private static final Comparator<Holder> ORDER =
                Comparator.comparing(Holder::client).thenComparing(Holder::owner);

        @Override
        public int compareTo(Holder other) {
            return ORDER.compare(this, other);
        }
    }

    private static final class LockedFile {
        private final NavigableMap<Holder, OwnedRanges> holders = new TreeMap<>();
        private int count;

        private OwnedRanges of(Holder holder) {
            return holders.computeIfAbsent(holder, first -> new OwnedRanges());
        }
    }

    /** @throws TableRefusal if another has a lock in the way, or there are too many */
    void lock(String client, long inode, RangeLock lock) {
        TableAnswer.Blocked blocked = blocker(client, inode, lock);
        if (blocked.by() != null) {
            throw new TableRefusal(
                    Reason.LOCKED,
                    "inode " + inode + " is locked from " + blocked.by().range().start() + " on by client "
                            + blocked.client());
        }
        edit(new Holder(client, lock.owner()), inode, ranges -> ranges.locking(lock));
    }

    /**
     * Ends the locks of an owner in a range, if there are any.
     *
     * @return whether it has others on the file
     * @throws TableRefusal if one would be split, and there were too many
     */
    boolean unlock(String client, long inode, LockOwner owner, LockRange range) {
        Holder holder = new Holder(client, owner);
        LockedFile file = files.get(inode);
        if (file == null || !file.holders.containsKey(holder)) {
            return false;
        }
        edit(holder, inode, ranges -> ranges.unlocking(range));
        return file.holders.containsKey(holder);
    }

    private void edit(Holder holder, long inode, Function<OwnedRanges, OwnedRanges.Edit> step) {
        LockedFile file = files.computeIfAbsent(inode, first -> new LockedFile());
        OwnedRanges ranges = file.of(holder);
        OwnedRanges.Edit edit = step.apply(ranges);
        try {
            checkRoom(holder.client(), inode, file.count, edit.growth());
            ranges.make(edit);
            add(holder.client(), file, edit.growth());
        } finally {
            tidy(inode, file, holder, ranges);
        }
    }

    private void checkRoom(String client, long inode, int onFile, int more) {
        checkRoom("the file table has", count + more, MOST, more);
        checkRoom("client " + client + " has", of(client) + more, MOST_PER_CLIENT, more);
        checkRoom("inode " + inode + " has", onFile + more, MOST_PER_FILE, more);
    }

    private static void checkRoom(String who, int then, int most, int more) {
        if (more > 0 && then > most) {
            throw new TableRefusal(Reason.NO_LOCKS, who + " " + (then - more) + " locks, of at most " + most);
        }
    }

    private int of(String client) {
        return byClient.getOrDefault(client, 0);
    }

    private void add(String client, LockedFile file, int more) {
        file.count += more;
        count += more;
        byClient.merge(client, more, Integer::sum);
        byClient.remove(client, 0);
    }

    private void tidy(long inode, LockedFile file, Holder holder, OwnedRanges ranges) {
        if (ranges.isEmpty()) {
            file.holders.remove(holder);
        }
        if (file.holders.isEmpty()) {
            files.remove(inode);
        }
    }

    /** The first lock that stands in the way of one that is wanted, and whose it is. */
    TableAnswer.Blocked blocker(@Nullable String client, long inode, RangeLock wanted) {
        TableAnswer.Blocked first = new TableAnswer.Blocked(null, null);
        LockedFile file = files.get(inode);
        if (file == null) {
            return first;
        }
        for (Map.Entry<Holder, OwnedRanges> other : file.holders.entrySet()) {
            RangeLock lock = isOwn(other.getKey(), client, wanted)
                    ? null
                    : other.getValue().blocking(wanted);
            if (lock != null && isBefore(lock, first.by())) {
                first = new TableAnswer.Blocked(lock, other.getKey().client());
            }
        }
        return first;
    }

    private static boolean isBefore(RangeLock lock, @Nullable RangeLock other) {
        return other == null || lock.range().start() < other.range().start();
    }

    private static boolean isOwn(Holder holder, @Nullable String client, RangeLock wanted) {
        return holder.client().equals(client) && holder.owner().equals(wanted.owner());
    }

    /** A client's session is over. */
    void endAll(String client) {
        if (byClient.containsKey(client)) {
            for (Map.Entry<Long, LockedFile> file : List.copyOf(files.entrySet())) {
                end(file.getKey(), file.getValue(), client);
            }
        }
    }

    private void end(long inode, LockedFile file, String client) {
        for (Holder holder : List.copyOf(file.holders.keySet())) {
            if (holder.client().equals(client)) {
                edit(holder, inode, ranges -> ranges.unlocking(LockRange.ALL));
            }
        }
    }

    /** An inode is gone. */
    void drop(long inode) {
        LockedFile file = files.get(inode);
        if (file != null) {
            Set.copyOf(file.holders.keySet()).forEach(holder -> end(inode, file, holder.client()));
        }
    }

    /** Those who have locks. */
    Set<String> clients() {
        return byClient.keySet();
    }

    void save(Consumer<SavedLine> lines) {
        files.forEach((inode, file) -> file.holders.forEach((holder, ranges) ->
                ranges.all().forEach(lock -> lines.accept(new SavedLine.Locked(inode, holder.client(), lock)))));
    }

    void load(SavedLine.Locked saved) {
        LockedFile file = files.computeIfAbsent(saved.inode(), first -> new LockedFile());
        file.of(new Holder(saved.client(), saved.lock().owner())).put(saved.lock());
        add(saved.client(), file, 1);
    }
}
