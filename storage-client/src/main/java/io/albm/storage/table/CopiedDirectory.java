// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.TableQuery;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a directory: names, the inodes that they stand for, and in which parts of the directory there are no others. The copy of a
 * large one starts with none, and gets them as they are asked for. Where that goes on behind the names that were asked for
 * before, it is a longer piece each time. Not thread-safe.
 */
final class CopiedDirectory {
    private static final int LONGEST_PIECE = 256;

    /** Places at which it may go on. */
    private static final int MOST_PLACES = 64;

    /** Before and behind all names, which have at most 255 characters. */
    private static final String START = "";

    private static final String END = "\uffff".repeat(256);

    private final long directory;
    private final long number;
    private final long grant;
    private final boolean sole;
    private final NavigableMap<String, Long> names = new TreeMap<>();
    /** Parts without other names: from a name on, up to another one. */
    private final NavigableMap<String, String> parts = new TreeMap<>();
    /** With which names pieces ended, and how long they were. */
    private final NavigableMap<String, Integer> pieces = new TreeMap<>();
    /** Those of these names that were looked up. */
    private final Set<String> usedUp = new HashSet<>();

    /**
     * A copy.
     *
     * @param number says which copies were there before it
     * @param grant the number of the lease
     * @param names all there are; null if they are to be asked for
     * @param sole whether nobody else has one
     */
    CopiedDirectory(long directory, long number, long grant, @Nullable Map<String, Long> names, boolean sole) {
        this.directory = directory;
        this.number = number;
        this.grant = grant;
        this.sole = sole;
        if (names != null) {
            this.names.putAll(names);
            parts.put(START, END);
        }
    }

    long directory() {
        return directory;
    }

    long number() {
        return number;
    }

    long grant() {
        return grant;
    }

    boolean isSole() {
        return sole;
    }

    int names() {
        return names.size();
    }

    /** What a name stands for; {@link KnownNames#ABSENT} or {@link KnownNames#UNKNOWN}. */
    long inodeOf(String name) {
        Long inode = names.get(name);
        return inode != null ? inode : isInPart(name) ? KnownNames.ABSENT : KnownNames.UNKNOWN;
    }

    private boolean isInPart(String name) {
        Map.Entry<String, String> part = parts.floorEntry(name);
        return part != null && name.compareTo(part.getValue()) < 0;
    }

    void bind(String name, long inode) {
        names.put(name, inode);
    }

    void unbind(String name) {
        names.remove(name);
    }

    /** How to ask for a name that is not known, or whose inode is not. */
    TableQuery.LookAhead lookAhead(String name) {
        Map.Entry<String, Integer> before = pieces.lowerEntry(name);
        int length = 1;
        if (before != null && isNext(name, before.getKey())) {
            pieces.remove(before.getKey());
            length = Math.min(2 * before.getValue(), LONGEST_PIECE);
        }
        return new TableQuery.LookAhead(directory, name, length);
    }

    private boolean isNext(String name, String last) {
        String first = names.higherKey(last);
        return usedUp.remove(last) && (first == null || first.compareTo(name) >= 0);
    }

    /** A name was looked up. */
    void use(String name) {
        if (pieces.containsKey(name)) {
            usedUp.add(name);
        }
    }

    /**
     * A piece was asked for.
     *
     * @param last its last name; null if there are none behind it
     */
    void learn(TableQuery.LookAhead asked, @Nullable String last) {
        addPart(asked.name(), last == null ? END : last + '\0');
        if (last != null) {
            pieces.put(last, asked.limit());
            if (pieces.size() > MOST_PLACES) {
                usedUp.remove(pieces.pollFirstEntry().getKey());
            }
            use(asked.name());
        }
    }

    private void addPart(String from, String to) {
        Map.Entry<String, String> before = parts.floorEntry(from);
        String start = before != null && before.getValue().compareTo(from) >= 0 ? before.getKey() : from;
        NavigableMap<String, String> inside = parts.subMap(start, true, to, true);
        String end = inside.isEmpty() ? to : max(to, inside.lastEntry().getValue());
        inside.clear();
        parts.put(start, end);
    }

    private static String max(String one, String other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
