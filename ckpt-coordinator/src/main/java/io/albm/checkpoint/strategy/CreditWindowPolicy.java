// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A window of ranks that write at once, without groups: the next begins when one ends, the largest first, so that no
 * large one is left when the others are done.
 *
 * <p>It goes with {@link RateControl}: the I/O nodes grant credit at a rate, so the window does not have to keep their
 * ports from overflowing. It only has to be wide enough for the rates to be used:
 *
 * <pre>polite: window = clamp(⌈sum of the I/O nodes' rates / a node's link⌉ + 1, ⌈port / a node's link⌉, ranks)</pre>
 *
 * The one more is the rank that reads and checks its local copy, or has its last blocks synced, while the others send. A
 * stream is a share of a link that others use, too: {@link Politeness#FAST} has all ranks write at once, and the rates alone
 * bound them.
 *
 * <p>The window follows the rates while the checkpoint is stored. Who has begun goes on when it shrinks. Equal ranks begin in an order
 * that is rotated by the checkpoint's number, so that it is not always the same one that comes last. Which I/O node a rank begins at is a hash
 * of its file's generation in the striped store, so ranks that begin together begin at different ones.
 *
 * <p>A plan costs O(ranks × log ranks) once, each question O(ranks that begin). It keeps who has begun; a new leader begins a new plan
 * with the same order.
 */
public final class CreditWindowPolicy implements CheckpointStrategy {
    @Override
    public DrainPlan plan(RankSizes sizes, Network network) {
        Plan plan = new Plan(order(sizes));
        plan.follow(network);
        return plan;
    }

    @Override
    public boolean isPaced() {
        return true;
    }

    /** The number of ranks that write at once, in [1, ranks]. */
    static int window(int ranks, Network network) {
        PaceSettings settings = network.settings();
        return switch (settings.politeness()) {
            case POLITE -> Math.clamp(filling(network), Math.min(settings.floor(), ranks), ranks);
            case FAST -> ranks;
        };
    }

    private static long filling(Network network) {
        return (long) Math.ceil(
                        network.totalBytesPerSecond() / network.settings().nodeLinkBytesPerSecond())
                + 1;
    }

    private static List<Integer> order(RankSizes sizes) {
        int ranks = sizes.bytes().size();
        Comparator<Map.Entry<Integer, Long>> largestFirst = Map.Entry.comparingByValue(Comparator.reverseOrder());
        return sizes.bytes().entrySet().stream()
                .sorted(largestFirst.thenComparingLong(
                        entry -> Math.floorMod(entry.getKey() - sizes.checkpoint(), (long) ranks)))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static final class Plan implements DrainPlan {
        private final List<Integer> order;
        private final Set<Integer> writing = new HashSet<>();
        private final Set<Integer> stored = new HashSet<>();
        private int begun;
        private int window;
        private int widest;
        private String why = "";

        Plan(List<Integer> order) {
            this.order = order;
        }

        @Override
        public List<Integer> next(Network network) {
            follow(network);
            List<Integer> next = new ArrayList<>();
            while (writing.size() < window && begun < order.size()) {
                Integer rank = order.get(begun++);
                if (!stored.contains(rank)) {
                    writing.add(rank);
                    next.add(rank);
                }
            }
            widest = Math.max(widest, writing.size());
            return next;
        }

        @Override
        public void stored(int rank) {
            stored.add(rank);
            writing.remove(rank);
        }

        @Override
        public int writing() {
            return writing.size();
        }

        private void follow(Network network) {
            int now = window(order.size(), network);
            if (now != window) {
                window = now;
                why = reason(network);
            }
        }

        private String reason(Network network) {
            PaceSettings settings = network.settings();
            return switch (settings.politeness()) {
                case POLITE ->
                    String.format(
                            Locale.ROOT,
                            "window %d: rates of %.2f MB/s over a node's link of %.2f MB/s, and one more that prepares;"
                                    + " at least %d, at most %d ranks",
                            window,
                            network.totalBytesPerSecond() / 1e6,
                            settings.nodeLinkBytesPerSecond() / 1e6,
                            Math.min(settings.floor(), order.size()),
                            order.size());
                case FAST ->
                    String.format(
                            Locale.ROOT,
                            "window %d: fast, so all ranks write at once at rates of %.2f MB/s together",
                            window,
                            network.totalBytesPerSecond() / 1e6);
            };
        }

        @Override
        public int groupSize() {
            return Math.max(1, widest);
        }

        @Override
        public String why() {
            return why;
        }
    }
}
