// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one owner has locked of one file, as {@code fcntl(2)} describes it: a new lock takes the place of the owner's old ones
 * under it, which are cut off or split, and joins neighbours of its own kind. A step costs O(log n + what it touches). Not
 * thread-safe.
 */
final class OwnedRanges {
    private final NavigableMap<Long, RangeLock> byStart = new TreeMap<>();

    /** Locks that go, and what comes instead. */
    record Edit(List<RangeLock> gone, List<RangeLock> come) {
        /** How many there are more than before. */
        int growth() {
            return come.size() - gone.size();
        }
    }

    Edit locking(RangeLock lock) {
        List<RangeLock> gone = touching(lock.range());
        List<RangeLock> come = new ArrayList<>();
        LockRange joined = lock.range();
        for (RangeLock rest : rests(gone, lock.range())) {
            if (rest.exclusive() == lock.exclusive()) {
                joined = new LockRange(
                        Math.min(joined.start(), rest.range().start()),
                        Math.max(joined.end(), rest.range().end()));
            } else {
                come.add(rest);
            }
        }
        come.add(lock.on(joined));
        return new Edit(gone, come);
    }

    Edit unlocking(LockRange range) {
        List<RangeLock> gone = touching(range);
        return new Edit(gone, rests(gone, range));
    }

    /** What lies in a range or next to it. */
    private List<RangeLock> touching(LockRange range) {
        List<RangeLock> touching = new ArrayList<>();
        Map.Entry<Long, RangeLock> before = byStart.lowerEntry(range.start());
        if (before != null && isTouching(before.getValue().range(), range)) {
            touching.add(before.getValue());
        }
        for (RangeLock lock : byStart.tailMap(range.start(), true).values()) {
            if (!isTouching(lock.range(), range)) {
                break;
            }
            touching.add(lock);
        }
        return touching;
    }

    private static boolean isTouching(LockRange range, LockRange other) {
        return range.overlaps(other) || range.isBefore(other) || other.isBefore(range);
    }

    /** What is left of locks without a range. */
    private static List<RangeLock> rests(List<RangeLock> locks, LockRange without) {
        List<RangeLock> rests = new ArrayList<>();
        for (RangeLock lock : locks) {
            LockRange range = lock.range();
            if (range.start() < without.start()) {
                rests.add(lock.on(new LockRange(range.start(), Math.min(range.end(), without.start() - 1))));
            }
            if (range.end() > without.end()) {
                rests.add(lock.on(new LockRange(Math.max(range.start(), without.end() + 1), range.end())));
            }
        }
        return rests;
    }

    void make(Edit edit) {
        edit.gone().forEach(lock -> byStart.remove(lock.range().start()));
        edit.come().forEach(this::put);
    }

    void put(RangeLock lock) {
        byStart.put(lock.range().start(), lock);
    }

    /** The first lock that another owner's cannot be beside. */
    @Nullable
    RangeLock blocking(RangeLock wanted) {
        Long floor = byStart.floorKey(wanted.range().start());
        long from = floor == null ? wanted.range().start() : floor;
        for (RangeLock lock :
                byStart.subMap(from, true, wanted.range().end(), true).values()) {
            if (lock.conflicts(wanted)) {
                return lock;
            }
        }
        return null;
    }

    Collection<RangeLock> all() {
        return byStart.values();
    }

    boolean isEmpty() {
        return byStart.isEmpty();
    }
}
