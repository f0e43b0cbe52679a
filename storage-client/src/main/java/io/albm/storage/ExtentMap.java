// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which segment has which range of a file. Segments never change: a write adds one and takes the range for it, so that old
 * and new content lie beside each other until one step of the file table decides. What no extent covers is a hole.
 *
 * <p>Costs: O(log n) per change and extent that it touches. Not thread-safe.
 */
public final class ExtentMap {
    private final NavigableMap<Long, Extent> byStart = new TreeMap<>();

    public ExtentMap() {}

    /** A map of extents that do not overlap. */
    public ExtentMap(Collection<Extent> extents) {
        extents.forEach(extent -> byStart.put(extent.at(), extent));
    }

    /** Takes a range from whatever had it. */
    public void put(Extent extent) {
        cut(extent.at(), extent.end());
        Extent joined = extent;
        Map.Entry<Long, Extent> before = byStart.lowerEntry(joined.at());
        if (before != null && before.getValue().isContinuedBy(joined)) {
            Extent first = before.getValue();
            joined = new Extent(first.at(), first.length() + joined.length(), first.generation(), first.from());
        }
        Extent after = byStart.get(joined.end());
        if (after != null && joined.isContinuedBy(after)) {
            byStart.remove(after.at());
            joined = new Extent(joined.at(), joined.length() + after.length(), joined.generation(), joined.from());
        }
        byStart.put(joined.at(), joined);
    }

    /** Makes a hole of a range. */
    public void cut(long start, long end) {
        split(start);
        split(end);
        byStart.subMap(start, true, end, false).clear();
    }

    private void split(long place) {
        Map.Entry<Long, Extent> before = byStart.lowerEntry(place);
        if (before != null && before.getValue().end() > place) {
            Extent whole = before.getValue();
            byStart.put(whole.at(), whole.head(place));
            byStart.put(place, whole.tail(place));
        }
    }

    /** The extents and parts of extents in a range, in order. */
    public List<Extent> within(long start, long end) {
        if (end <= start) {
            return List.of();
        }
        List<Extent> found = new ArrayList<>();
        Map.Entry<Long, Extent> before = byStart.lowerEntry(start);
        if (before != null && before.getValue().end() > start) {
            found.add(clipped(before.getValue().tail(start), end));
        }
        byStart.subMap(start, true, end, false).values().forEach(extent -> found.add(clipped(extent, end)));
        return found;
    }

    private static Extent clipped(Extent extent, long end) {
        return extent.end() > end ? extent.head(end) : extent;
    }

    /** The extent that has a byte; null if it is in a hole. */
    public @Nullable Extent at(long place) {
        Map.Entry<Long, Extent> entry = byStart.floorEntry(place);
        return entry == null || entry.getValue().end() <= place ? null : entry.getValue();
    }

    /** Where the last extent before a hole ends; 0 if there is none. */
    long endBefore(long hole) {
        Map.Entry<Long, Extent> entry = byStart.lowerEntry(hole);
        return entry == null ? 0 : entry.getValue().end();
    }

    /** Where the next extent behind a hole starts; {@link Long#MAX_VALUE} if there is none. */
    long startBehind(long hole) {
        Map.Entry<Long, Extent> entry = byStart.higherEntry(hole);
        return entry == null ? Long.MAX_VALUE : entry.getKey();
    }

    /** Where the first byte is, from a place on, that an extent has; {@link Long#MAX_VALUE} if there is none. */
    long dataFrom(long place) {
        return at(place) == null ? startBehind(place) : place;
    }

    /** Where the first byte is, from a place on, that no extent has. */
    long holeFrom(long place) {
        long from = place;
        for (Extent extent = at(from); extent != null; extent = at(from)) {
            from = extent.end();
        }
        return from;
    }

    /** All extents, in order. */
    public List<Extent> extents() {
        return List.copyOf(byStart.values());
    }

    /** The segments that are needed. */
    public Set<String> generations() {
        Set<String> generations = new HashSet<>();
        byStart.values().forEach(extent -> generations.add(extent.generation()));
        return generations;
    }
}
