// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts a job wants, and what becomes of the ranks of one that is lost: a spare host takes all of them, the others
 * stay where they are. Decides the same for the same hosts.
 *
 * @param count how many hosts the job begins on
 * @param named the hosts that it begins on; empty for any
 * @param spares that may replace a lost host; null for every other one, also one that comes later
 * @param spread without a spare, the ranks of a lost host go to those that are left; else the job waits for a spare
 */
public record HostChoice(
        int count, List<String> named, @Nullable Set<String> spares, boolean spread) {
    /** What to do now. */
    public sealed interface Decision {
        /** Every rank has a host that answers. */
        record Placed(Placement placement) implements Decision {}

        /** There are too few hosts; what is missing. */
        record TooFew(String reason) implements Decision {}
    }

    public HostChoice {
        named = List.copyOf(named);
        spares = spares == null ? null : Set.copyOf(spares);
        if (count < 1) {
            throw new IllegalArgumentException("a job on " + count + " hosts; --hosts takes at least 1");
        }
        if (!named.isEmpty() && Set.copyOf(named).size() != named.size()) {
            throw new IllegalArgumentException("--hosts names a host twice: " + String.join(",", named));
        }
    }

    /** This host and no other. */
    static HostChoice only(String host) {
        return new HostChoice(1, List.of(host), Set.of(), false);
    }

    /**
     * Places all ranks.
     *
     * @param before where they ran last; {@link Placement#NONE} if the job is new
     * @param answering hosts that can be used now
     */
    Decision place(int ranks, Placement before, SortedSet<String> answering) {
        return before.size() == 0 ? begin(ranks, answering) : replaceLost(before, answering);
    }

    /** Why a job that is new cannot begin; empty if it can. */
    public Optional<String> objection(int ranks, SortedSet<String> answering) {
        return switch (begin(ranks, answering)) {
            case Decision.Placed _ -> Optional.empty();
            case Decision.TooFew(String reason) -> Optional.of(reason);
        };
    }

    /** The placement of the job's last run, if it began as this one is to begin. */
    Placement continued(int ranks, Placement last) {
        boolean same = last.size() == ranks
                && last.hosts().size() == Math.min(count, ranks)
                && (named.isEmpty() || last.hosts().equals(new TreeSet<>(named)));
        return same ? last : Placement.NONE;
    }

    private Decision begin(int ranks, SortedSet<String> answering) {
        List<String> missing =
                named.stream().filter(host -> !answering.contains(host)).toList();
        if (!missing.isEmpty()) {
            return new Decision.TooFew("of the hosts wanted, " + String.join(", ", missing) + " do not answer; "
                    + answering(answering) + "; start them with 'albm run job-host', or leave them out of --hosts");
        }
        if (answering.size() < count) {
            return new Decision.TooFew(count + (count == 1 ? " host is wanted, " : " hosts are wanted, ")
                    + answering(answering) + "; start more with 'albm run job-host', or give --hosts a smaller number");
        }
        List<String> hosts = named.isEmpty() ? List.copyOf(answering) : named;
        return new Decision.Placed(Placement.even(ranks, hosts.subList(0, Math.min(ranks, count))));
    }

    private Decision replaceLost(Placement before, SortedSet<String> answering) {
        SortedSet<String> left = before.hosts();
        left.retainAll(answering);
        SortedSet<String> free = new TreeSet<>(answering);
        free.removeAll(before.hosts());
        free.removeIf(host -> spares != null && !spares.contains(host) && !named.contains(host));
        Placement placed = before;
        for (String lost : before.hosts()) {
            if (left.contains(lost)) {
                continue;
            }
            if (!free.isEmpty()) {
                placed = placed.replaced(lost, free.removeFirst());
            } else if (spread && !left.isEmpty()) {
                placed = placed.spread(lost, left);
            } else {
                return new Decision.TooFew("host " + lost + " is lost and no spare is there; "
                        + (spread ? "no other host is left" : "a host that is started now takes its ranks"));
            }
        }
        return new Decision.Placed(placed);
    }

    private static String answering(Set<String> hosts) {
        return hosts.isEmpty()
                ? "none answers"
                : "these answer: " + hosts.stream().collect(Collectors.joining(", "));
    }
}
