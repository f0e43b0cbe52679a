// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who may answer from a copy of which directory, and until when (leases: Gray and Cheriton, SOSP 1989). A client's leases last
 * for {@link #TERM} from the last time that it was heard; the client counts from before it spoke, so they end there first. A
 * recalled lease is not made longer: it ends when the client has said that it knows, or with the term that it had.
 *
 * <p>A lease on a directory that nobody else has one on is <em>sole</em>: its client may make changes there first and send them
 * later. So others who ask about that directory wait until the client has sent what it had changed by then, or until its lease is
 * over. What it sends after that is taken if nobody has asked about the directory in between: a leader that stops for a while loses
 * nothing. Where another wants a lease, too, nobody has a sole one for a while.
 *
 * <p>What has come in time may wait until it is made, as while the log stands still, and its client sends the rest only then. So no
 * lease of a client is over while it sends: others wait for as long as that takes. A client changes nothing more by itself
 * once its lease is over by its own clock, so there is an end to that.
 *
 * <p>Recalls are numbered per client. Whoever tells a client something tells it all recalls that it has not confirmed and
 * the highest number; so whatever of that arrives, however late, the client can tell what is older than a recall that it has
 * heard of. So are grants: a client gives back all up to a number, and takes none of these that arrives later, so that the two
 * always agree in the end on what it has. A lease that is given again has a new number, which what is under way does not end.
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

    /** How long a client may take for the next call with changes after the last was answered: long enough for a second try. */
    private static final long NEXT_CALL = TERM.dividedBy(2).toNanos();

    /** How long a directory that two clients wanted is nobody's alone. */
    private static final long SHARED = Duration.ofMinutes(1).toNanos();

    /** Directories of which that is remembered. */
    private static final int MOST_SHARED = 1024;

    /** Stands for none in a recall of nothing, which asks a client to send its changes. */
    private static final long NO_DIRECTORY = 0;

    /** What a client has on a directory. */
    enum Lease {
        NONE,
        SHARED,
        SOLE
    }

    /** A client was asked to send its changes. */
    record Flush(String client, long number, long end) {}

    private final Map<String, Holder> holders = new HashMap<>();
    private final Map<Long, Set<String>> byDirectory = new HashMap<>();
    private final Map<Long, String> sole = new HashMap<>();
    /** Who had a directory alone until a lease ended with its term, as long as nobody else has asked about it since. */
    private final Map<Long, String> lapsed = new HashMap<>();
    /** Until when no lease on a directory is sole. */
    private final LinkedHashMap<Long, Long> shared = new LinkedHashMap<>();

    /** The directories that clients lost without their word while others go on. */
    private Map<Lost, Set<Long>> overruled = new HashMap<>();

    private int leases;

    /**
     * Leases that a client has lost.
     *
     * @param grants the number of the last one that it had been given by then
     */
    record Lost(String client, long grants) {}

    private static final class Holder {
        private long until;
        private long settled;
        /** The directories of leases that are not recalled, and the numbers of their grants, the oldest first. */
        private final LinkedHashMap<Long, Long> held = new LinkedHashMap<>();
        /** By the recalls' numbers. */
        private final TreeMap<Long, Recalled> recalled = new TreeMap<>();

        private long recalls;
        private long grants;
        /** Calls with changes that are not answered yet, and until when there may be another one after the last. */
        private int sending;

        private long sendsUntil;
        /** Whether its session is over, so that the numbers are not needed any more. */
        private boolean ended;

        private Holder(long now) {
            until = now;
            sendsUntil = now;
        }

        private void recall(long directory, long grant) {
            recall(directory, grant, Set.of());
        }

        private void recall(long directory, long grant, Set<Long> asked) {
            recalled.put(++recalls, new Recalled(directory, until, grant, asked));
        }

        private long end(long directory) {
            return recalled.values().stream()
                    .filter(recall -> recall.directory() == directory)
                    .mapToLong(Recalled::end)
                    .findFirst()
                    .orElse(until);
        }

        /** When a lease is over that ends with a term: not while its client sends. */
        private long over(long term, long now) {
            long sends = sending > 0 ? now + NEXT_CALL : sendsUntil;
            return ended || sends - term <= 0 ? term : sends;
        }
    }

    /**
     * What a client has not confirmed.
     *
     * @param grant the last one that it concerns
     * @param asked the directories about which others ask, and do not wait for longer than to the end
     */
    private record Recalled(long directory, long end, long grant, Set<Long> asked) {}

    /**
     * What a client has to be told.
     *
     * @param recalls the number of the last recall
     * @param recalled the directories whose recalls it has not confirmed
     * @param grants the number of the last lease that it was given
     */
    record Notice(long recalls, List<Long> recalled, long grants) {}

    /**
     * A client was heard: its leases last from now on.
     *
     * @param confirmed it has heard of all recalls up to this number
     * @param returned it has no lease, and will take none, whose grant has this number or a lower one
     * @param settled no change of it up to this number may be made any more
     */
    void hear(String client, long confirmed, long returned, long settled, long now) {
        Holder holder = holders.computeIfAbsent(client, name -> new Holder(now));
        expire(client, holder, now);
        holder.until = now + TERM.toNanos();
        holder.settled = Math.max(holder.settled, settled);
        endRecalled(
                client,
                holder,
                recall -> recall.getKey() <= confirmed || recall.getValue().grant() <= returned);
        endHeld(client, holder, returned);
    }

    /** Changes of a client have come, and are answered later. @return whether {@link #sent} has to follow */
    boolean sends(String client, long now) {
        Holder holder = holders.get(client);
        if (holder == null) {
            return false;
        }
        expire(client, holder, now);
        holder.sending++;
        return true;
    }

    /** They are answered. */
    void sent(String client, long now) {
        Holder holder = holders.get(client);
        if (holder != null) {
            holder.sending--;
            holder.sendsUntil = now + NEXT_CALL;
        }
    }

    private void endRecalled(String client, Holder holder, Predicate<Map.Entry<Long, Recalled>> which) {
        List<Map.Entry<Long, Recalled>> over =
                holder.recalled.entrySet().stream().filter(which).toList();
        over.forEach(recall -> {
            holder.recalled.remove(recall.getKey());
            end(client, recall.getValue().directory());
        });
    }

    private void endHeld(String client, Holder holder, long returned) {
        for (Iterator<Map.Entry<Long, Long>> held = holder.held.entrySet().iterator(); held.hasNext(); ) {
            Map.Entry<Long, Long> lease = held.next();
            if (lease.getValue() > returned) {
                return;
            }
            held.remove();
            end(client, lease.getKey());
        }
    }

    private void end(String client, long directory) {
        if (directory == NO_DIRECTORY) {
            return;
        }
        leases--;
        sole.remove(directory, client);
        byDirectory.computeIfPresent(directory, (number, clients) -> {
            clients.remove(client);
            return clients.isEmpty() ? null : clients;
        });
    }

    private void expire(String client, Holder holder, long now) {
        // Who asked has got answers without what the client may send late.
        holder.recalled.values().stream()
                .filter(recall -> holder.over(recall.end(), now) - now <= 0)
                .forEach(recall -> Stream.concat(recall.asked().stream(), Stream.of(recall.directory()))
                        .filter(directory -> sole.remove(directory, client))
                        .forEach(directory -> overrule(client, directory)));
        endRecalled(client, holder, recall -> holder.over(recall.getValue().end(), now) - now <= 0);
        if (holder.over(holder.until, now) - now <= 0) {
            holder.held.keySet().forEach(directory -> {
                if (!holder.ended && client.equals(sole.get(directory))) {
                    lapsed.put(directory, client);
                }
                end(client, directory);
            });
            holder.held.clear();
        }
    }

    private void overrule(@Nullable String client, long directory) {
        Holder holder = client == null ? null : holders.get(client);
        if (client != null && holder != null && !holder.ended) {
            overruled
                    .computeIfAbsent(new Lost(client, holder.grants), lost -> new HashSet<>())
                    .add(directory);
        }
    }

    /** The directories that clients have lost since this was last asked. What they changed there and send late is not taken. */
    Map<Lost, Set<Long>> overruled(long now) {
        expire(now);
        Map<Lost, Set<Long>> since = overruled;
        overruled = new HashMap<>();
        return since;
    }

    /** Ends the leases of clients that have not been heard for a term. A client counts on its numbers as long as its session lasts. */
    private void expire(long now) {
        holders.forEach((client, holder) -> expire(client, holder, now));
        holders.values().removeIf(holder -> holder.ended && holder.until - now <= 0 && holder.recalled.isEmpty());
    }

    /** Gives a client that was heard a lease, unless it is being recalled from it, another has it alone, or too many are out. */
    Lease grant(String client, long directory, long now) {
        expire(now);
        Holder holder = holders.get(client);
        if (holder == null || holder.until - now <= 0) {
            return Lease.NONE;
        }
        if (holder.held.remove(directory) != null) {
            holder.held.put(directory, ++holder.grants);
            return client.equals(sole.get(directory)) ? Lease.SOLE : Lease.SHARED;
        }
        if (leases >= MOST
                || holder.recalled.size() >= MOST_PER_CLIENT
                || holders(directory).contains(client)) {
            return Lease.NONE;
        }
        String late = lapsed.remove(directory);
        if (!client.equals(late)) {
            overrule(late, directory);
        }
        if (sole.containsKey(directory)) {
            share(directory, now);
            recall(Set.of(directory), client, now);
            return Lease.NONE;
        }
        if (holder.held.size() >= MOST_PER_CLIENT) {
            recall(holder, holder.held.firstEntry().getKey());
        }
        holder.held.put(directory, ++holder.grants);
        byDirectory.computeIfAbsent(directory, number -> new HashSet<>()).add(client);
        leases++;
        if (holders(directory).size() == 1 && !isShared(directory, now)) {
            sole.put(directory, client);
            return Lease.SOLE;
        }
        return Lease.SHARED;
    }

    private void share(long directory, long now) {
        shared.put(directory, now + SHARED);
        if (shared.size() > MOST_SHARED) {
            shared.pollFirstEntry();
        }
    }

    private boolean isShared(long directory, long now) {
        Long until = shared.get(directory);
        return until != null && until - now > 0;
    }

    /** A client's session is over: nothing that it sends is taken any more. */
    void forget(String client) {
        lapsed.values().removeIf(client::equals);
        Holder holder = holders.get(client);
        if (holder != null) {
            holder.ended = true;
        }
    }

    /** The directories that clients other than that one have alone, did until they confirm a recall, or may have changed late. */
    Set<Long> soleOfOthers(@Nullable String client) {
        return Stream.concat(sole.entrySet().stream(), lapsed.entrySet().stream())
                .filter(lease -> !lease.getValue().equals(client))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Whether the client may send changes of all of these. */
    boolean isSole(String client, Set<Long> directories, long now) {
        expire(now);
        return directories.stream()
                .allMatch(directory -> client.equals(sole.get(directory)) || client.equals(lapsed.get(directory)));
    }

    /** Asks who has these directories alone to send what was changed there. */
    List<Flush> flush(Set<Long> directories, long now) {
        expire(now);
        directories.forEach(directory -> overrule(lapsed.remove(directory), directory));
        return directories.stream()
                .filter(sole::containsKey)
                .collect(Collectors.groupingBy(sole::get, Collectors.toSet()))
                .entrySet()
                .stream()
                .map(asked -> flush(asked.getKey(), asked.getValue()))
                .toList();
    }

    private Flush flush(String client, Set<Long> asked) {
        Holder holder = holders.get(client);
        if (holder == null) {
            throw new IllegalStateException(client + " has a lease and was never heard");
        }
        holder.recall(NO_DIRECTORY, holder.grants, asked);
        return new Flush(client, holder.recalls, holder.until);
    }

    /** Until when a client may take to do so; empty if it has done so or is not waited for any more. */
    OptionalLong unsent(List<Flush> flushes, long now) {
        OptionalLong last = OptionalLong.empty();
        for (Flush flush : flushes) {
            Holder holder = holders.get(flush.client());
            if (holder != null && holder.recalled.containsKey(flush.number())) {
                last = later(last, holder.over(flush.end(), now), now);
            }
        }
        return last;
    }

    private Set<String> holders(long directory) {
        return byDirectory.getOrDefault(directory, Set.of());
    }

    private static void recall(Holder holder, long directory) {
        Long grant = holder.held.remove(directory);
        if (grant != null) {
            holder.recall(directory, grant);
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
            if (!except.equals(lapsed.get(directory))) {
                overrule(lapsed.remove(directory), directory);
            }
            for (String client : List.copyOf(holders(directory))) {
                Holder holder = holders.get(client);
                if (holder != null && !client.equals(except)) {
                    recall(holder, directory);
                    last = later(last, holder.over(holder.end(directory), now), now);
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
                ? new Notice(0, List.of(), 0)
                : new Notice(
                        holder.recalls,
                        holder.recalled.values().stream()
                                .map(Recalled::directory)
                                .filter(directory -> directory != NO_DIRECTORY)
                                .toList(),
                        holder.grants);
    }

    /** Whether a client may have a lease. */
    boolean isHolder(String client) {
        Holder holder = holders.get(client);
        return holder != null && !(holder.held.isEmpty() && holder.recalled.isEmpty());
    }

    /** Whether it has not confirmed all. */
    boolean isBehind(String client) {
        Holder holder = holders.get(client);
        return holder != null && !holder.recalled.isEmpty();
    }

    /** Whether the client has said that it will not send this change any more. */
    boolean isSettled(String client, long number) {
        Holder holder = holders.get(client);
        return holder != null && number <= holder.settled;
    }
}
