// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who may answer from a copy of which directory, and until when (leases: Gray and Cheriton, SOSP 1989). A client's leases last
 * for {@link #TERM} from the last time that it was heard; the client counts from before it spoke, so they end there first. A
 * recalled lease is not made longer: it ends when the client has said that it knows, or with the term that it had.
 *
 * <p>Recalls are numbered per client. Whoever tells a client something tells it all recalls that it has not confirmed and
 * the highest number; so whatever of that arrives, however late, the client can tell what is older than a recall that it has
 * heard of.
 *
 * <p>Pure: times are those of one monotonic clock, in nanoseconds, and come from the caller. A question about a change costs
 * O(directories that it concerns, times the clients that hold them). At most {@value #MOST} leases are out, which is some
 * 20 MB, and {@value #MOST_PER_CLIENT} per client, whose oldest one is recalled for one more. Not thread-safe.
 */
final class DirectoryLeases {
    /** Short enough to wait for the end of a client that died, long enough for a few lost messages. */
    static final Duration TERM = Duration.ofSeconds(3);

    static final int MOST = 100_000;
    static final int MOST_PER_CLIENT = 10_000;

    private final Map<String, Holder> holders = new HashMap<>();
    private final Map<Long, Set<String>> byDirectory = new HashMap<>();
    private int leases;

    private static final class Holder {
        private long until;
        private long settled;
        /** The directories of leases that are not recalled, the oldest first. */
        private final Set<Long> held = new LinkedHashSet<>();
        /** By the recalls' numbers. */
        private final TreeMap<Long, Recalled> recalled = new TreeMap<>();

        private long recalls;

        private long end(long directory) {
            return recalled.values().stream()
                    .filter(recall -> recall.directory() == directory)
                    .mapToLong(Recalled::end)
                    .findFirst()
                    .orElse(until);
        }
    }

    private record Recalled(long directory, long end) {}

    /**
     * What a client has to be told.
     *
     * @param recalls the number of the last recall
     * @param recalled the directories whose recalls it has not confirmed
     */
    record Notice(long recalls, List<Long> recalled) {}

    /**
     * A client was heard: its leases last from now on.
     *
     * @param confirmed it has heard of all recalls up to this number
     * @param settled no change of it up to this number may be made any more
     */
    void hear(String client, long confirmed, long settled, long now) {
        Holder holder = holders.computeIfAbsent(client, name -> new Holder());
        expire(client, holder, now);
        holder.until = now + TERM.toNanos();
        holder.settled = Math.max(holder.settled, settled);
        endAll(client, holder.recalled.headMap(confirmed, true).values());
    }

    private void endAll(String client, Iterable<Recalled> recalls) {
        for (Iterator<Recalled> each = recalls.iterator(); each.hasNext(); ) {
            end(client, each.next().directory());
            each.remove();
        }
    }

    private void end(String client, long directory) {
        leases--;
        byDirectory.computeIfPresent(directory, (number, clients) -> {
            clients.remove(client);
            return clients.isEmpty() ? null : clients;
        });
    }

    private void expire(String client, Holder holder, long now) {
        if (holder.until - now <= 0) {
            holder.held.forEach(directory -> end(client, directory));
            holder.held.clear();
        }
        List<Map.Entry<Long, Recalled>> over = holder.recalled.entrySet().stream()
                .filter(recall -> recall.getValue().end() - now <= 0)
                .toList();
        over.forEach(recall -> {
            holder.recalled.remove(recall.getKey());
            end(client, recall.getValue().directory());
        });
    }

    /** Forgets the clients that have not been heard for a term. */
    private void expire(long now) {
        holders.forEach((client, holder) -> expire(client, holder, now));
        holders.values().removeIf(holder -> holder.until - now <= 0 && holder.recalled.isEmpty());
    }

    /** Gives a client that was heard a lease, unless it is being recalled from it or too many are out. */
    boolean grant(String client, long directory, long now) {
        expire(now);
        Holder holder = holders.get(client);
        if (holder == null || holder.held.contains(directory)) {
            return holder != null;
        }
        if (leases >= MOST
                || holder.recalled.size() >= MOST_PER_CLIENT
                || holders(directory).contains(client)) {
            return false;
        }
        if (holder.held.size() >= MOST_PER_CLIENT) {
            recall(holder, holder.held.iterator().next());
        }
        holder.held.add(directory);
        byDirectory.computeIfAbsent(directory, number -> new HashSet<>()).add(client);
        leases++;
        return true;
    }

    private Set<String> holders(long directory) {
        return byDirectory.getOrDefault(directory, Set.of());
    }

    private static void recall(Holder holder, long directory) {
        if (holder.held.remove(directory)) {
            holder.recalled.put(++holder.recalls, new Recalled(directory, holder.until));
        }
    }

    /**
     * Recalls the leases of all other clients on some directories.
     *
     * @return until when one of them may last; empty if there is none
     */
    OptionalLong recall(Set<Long> directories, String except, long now) {
        OptionalLong last = OptionalLong.empty();
        for (long directory : directories) {
            for (String client : List.copyOf(holders(directory))) {
                Holder holder = holders.get(client);
                if (holder != null && !client.equals(except)) {
                    recall(holder, directory);
                    last = later(last, holder.end(directory), now);
                }
            }
        }
        return last;
    }

    private static OptionalLong later(OptionalLong last, long end, long now) {
        boolean isOver = end - now <= 0;
        return isOver || (last.isPresent() && last.getAsLong() - end >= 0) ? last : OptionalLong.of(end);
    }

    /** What a client that was heard has to be told now. */
    Notice notice(String client) {
        Holder holder = holders.get(client);
        return holder == null
                ? new Notice(0, List.of())
                : new Notice(
                        holder.recalls,
                        holder.recalled.values().stream()
                                .map(Recalled::directory)
                                .toList());
    }

    /** Whether the client has said that it will not send this change any more. */
    boolean isSettled(String client, long number) {
        Holder holder = holders.get(client);
        return holder != null && number <= holder.settled;
    }
}
