// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.RequestHead;
import io.albm.core.http.Syntax;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says where a request goes by its host and the beginning of its path, from the bytes of its head and without allocating.
 *
 * <p>Rules of one host form a group. An exact host is found by its hash, then wildcards are asked from the longest, then
 * the rules for any host; within a group paths are asked from the first. The first rule that fits decides. So a request
 * costs a pass over its host's name and one comparison for each path of its host, and nothing where there are no rules.
 *
 * <p>Hosts are compared without their port, their case and a dot at their end; paths byte by byte as they came: a path
 * that is spelled in another way ({@code /%61pi/}, {@code //api/}) is another path. Routes spread work, they guard nothing.
 *
 * <p>Immutable.
 *
 * @param <T> a destination
 */
public final class RouteTable<T> {
    /**
     * One route.
     *
     * @param host in lower case, or {@code *.} and what it ends with; null for any
     * @param path what the path begins with; null for any
     */
    public record Rule<T>(@Nullable String host, @Nullable String path, T destination) {}

    private static final String WILDCARD = "*";

    private final int[] hashes;
    private final List<Group<T>> exact;
    private final List<Group<T>> wildcards;
    private final @Nullable Group<T> any;
    private final T otherwise;
    private final boolean isEmpty;

    /** The rules for one host. */
    private static final class Group<T> {
        final byte[] host;
        final List<byte[]> paths = new ArrayList<>();
        final List<T> destinations = new ArrayList<>();

        Group(String host) {
            this.host = host.getBytes(StandardCharsets.ISO_8859_1);
        }

        int hash() {
            return RouteTable.hash(host, 0, host.length);
        }

        void add(Rule<T> rule) {
            paths.add((rule.path == null ? "" : rule.path).getBytes(StandardCharsets.ISO_8859_1));
            destinations.add(rule.destination);
        }

        @Nullable
        T find(byte[] bytes, int from, int end) {
            for (int i = 0; i < paths.size(); i++) {
                if (begins(paths.get(i), bytes, from, end)) {
                    return destinations.get(i);
                }
            }
            return null;
        }
    }

    /**
     * A table.
     *
     * @param rules for each host in the order in which they are to be asked, longer wildcards before shorter ones
     * @param otherwise where requests go that no rule fits
     */
    public RouteTable(List<Rule<T>> rules, T otherwise) {
        var groups = new LinkedHashMap<String, Group<T>>();
        for (Rule<T> rule : rules) {
            String host = rule.host == null ? "" : rule.host;
            groups.computeIfAbsent(host, name -> new Group<>(name.startsWith(WILDCARD) ? name.substring(1) : name))
                    .add(rule);
        }
        this.any = groups.remove("");
        this.wildcards = groups.entrySet().stream()
                .filter(group -> group.getKey().startsWith(WILDCARD))
                .map(Map.Entry::getValue)
                .toList();
        this.exact = groups.entrySet().stream()
                .filter(group -> !group.getKey().startsWith(WILDCARD))
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparingInt(Group::hash))
                .toList();
        this.hashes = exact.stream().mapToInt(Group::hash).toArray();
        this.otherwise = otherwise;
        this.isEmpty = rules.isEmpty();
    }

    /** Where requests go that no rule fits. */
    public T otherwise() {
        return otherwise;
    }

    /** Where that request goes. */
    public T find(RequestHead head) {
        if (isEmpty) {
            return otherwise;
        }
        byte[] bytes = head.bytes();
        int host = head.hostStart();
        int hostEnd = head.hostEnd(host);
        int path = head.pathStart();
        T found = exact(bytes, host, hostEnd, path, head.targetEnd());
        if (found == null) {
            found = wildcard(bytes, host, hostEnd, path, head.targetEnd());
        }
        if (found == null && any != null) {
            found = any.find(bytes, path, head.targetEnd());
        }
        return found == null ? otherwise : found;
    }

    private @Nullable T exact(byte[] bytes, int host, int hostEnd, int path, int end) {
        int hash = RouteTable.hash(bytes, host, hostEnd);
        for (int i = first(hash); i < hashes.length && hashes[i] == hash; i++) {
            Group<T> group = exact.get(i);
            if (Syntax.spells(bytes, host, hostEnd, group.host)) {
                return group.find(bytes, path, end);
            }
        }
        return null;
    }

    /** Where that hash would stand first. */
    private int first(int hash) {
        int low = 0;
        int high = hashes.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (hashes[middle] < hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private @Nullable T wildcard(byte[] bytes, int host, int hostEnd, int path, int end) {
        for (int i = 0; i < wildcards.size(); i++) {
            Group<T> group = wildcards.get(i);
            int suffix = hostEnd - group.host.length;
            if (suffix > host && Syntax.spells(bytes, suffix, hostEnd, group.host)) {
                T found = group.find(bytes, path, end);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** An empty path is the root (RFC 9110, 4.2.3). */
    private static boolean begins(byte[] prefix, byte[] bytes, int from, int end) {
        if (end - from < prefix.length) {
            return isRoot(prefix) && end == from;
        }
        if (isRoot(prefix) && bytes[from] == '?') {
            return true;
        }
        for (int i = 0; i < prefix.length; i++) {
            if (bytes[from + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isRoot(byte[] prefix) {
        return prefix.length == 1;
    }

    private static int hash(byte[] bytes, int from, int end) {
        int hash = 0;
        for (int at = from; at < end; at++) {
            hash = 31 * hash + Syntax.lower(bytes[at]);
        }
        return hash;
    }
}
