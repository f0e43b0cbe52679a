// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Weighted rendezvous hashing (Thaler and Ravishankar 1998; the weighting is Schindelhauer and Schomaker's logarithmic
 * method, 2005): every node draws a score from a hash of its own name and the key, and the highest scores win. A node
 * that joins takes only what it wins, a node that leaves gives away only what it held, and shares follow the weights.
 *
 * <p>Nodes win {@linkplain DomainSpread#inRounds in rounds} over their failure domains. The best score in a domain is distributed as
 * that of one node with the weight of all its nodes would be (1/score is exponential, and the rates of the least of such add up), so
 * domains win by the sums of their weights. When a node joins or leaves, one of the winners is another one at most, whatever the domains.
 *
 * <p>Placing a key costs one hash per node, and for the few that may be among the best a look at those that are by then.
 */
final class RendezvousPlacement {
    /**
     * A node that blocks may go to.
     *
     * @param weight relative share, above 0; in practice the node's capacity
     * @param domain what it fails with
     */
    record Candidate(NodeId node, double weight, FailureDomain domain) {
        Candidate {
            if (!(weight > 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException(node + ": weight " + weight + ", expected a number above 0");
            }
        }
    }

    private static final double TWO_TO_MINUS_53 = 0x1.0p-53;

    private RendezvousPlacement() {}

    /** The {@code count} best nodes for {@code key}, in rounds; the same for any order of the candidates. */
    static List<NodeId> choose(Generation key, Collection<Candidate> candidates, int count) {
        if (count == 0) {
            return List.of();
        }
        long start = start(key);
        Winners winners = new Winners(count);
        for (Candidate candidate : candidates) {
            double drawn = draw(start, candidate);
            // Logarithms would take most of the time. This one is below drawn - 1, which rules most nodes out.
            if (candidate.weight() >= winners.least * (1 - drawn)) {
                winners.offer(candidate, score(candidate, drawn));
            }
        }
        return winners.nodes();
    }

    /** All nodes in the order of their scores for {@code key}, best first. */
    static List<NodeId> ranked(Generation key, Collection<Candidate> candidates) {
        long start = start(key);
        return candidates.stream()
                .map(candidate -> new Scored(candidate, score(candidate, draw(start, candidate)), 0))
                .sorted()
                .map(Scored::node)
                .toList();
    }

    /**
     * A node and how it does.
     *
     * @param round how many nodes of its domain do better
     */
    private record Scored(Candidate candidate, double score, int round) implements Comparable<Scored> {
        NodeId node() {
            return candidate.node();
        }

        boolean isOfSameDomain(Scored other) {
            return candidate.domain().equals(other.candidate.domain());
        }

        boolean isBetterThan(Scored other) {
            return byScore(other) < 0;
        }

        Scored inNextRound() {
            return new Scored(candidate, score, round + 1);
        }

        @Override
        public int compareTo(Scored other) {
            return round == other.round ? byScore(other) : Integer.compare(round, other.round);
        }

        private int byScore(Scored other) {
            int best = Double.compare(other.score, score);
            return best == 0 ? node().compareTo(other.node()) : best;
        }
    }

    /** The first in rounds of the nodes seen so far: that is enough to know them when one more is seen. */
    private static final class Winners {
        private final int most;
        private final List<Scored> inRounds = new ArrayList<>();
        /** A lower score is too low whatever the domain, as most are; scores are above 0. */
        private double least;

        Winners(int most) {
            this.most = most;
        }

        void offer(Candidate candidate, double score) {
            Scored offered = new Scored(candidate, score, 0);
            for (Scored winner : inRounds) {
                if (winner.isOfSameDomain(offered) && winner.isBetterThan(offered)) {
                    offered = offered.inNextRound();
                }
            }
            if (inRounds.size() < most || offered.compareTo(inRounds.getLast()) < 0) {
                take(offered);
            }
        }

        private void take(Scored taken) {
            inRounds.replaceAll(winner ->
                    taken.isOfSameDomain(winner) && taken.isBetterThan(winner) ? winner.inNextRound() : winner);
            inRounds.add(taken);
            Collections.sort(inRounds);
            if (inRounds.size() > most) {
                inRounds.removeLast();
            }
            Scored last = inRounds.getLast();
            least = inRounds.size() == most && last.round() == 0 ? last.score() : 0;
        }

        List<NodeId> nodes() {
            return inRounds.stream().map(Scored::node).toList();
        }
    }

    private static double draw(long start, Candidate candidate) {
        return uniform(hash(start, candidate.node()));
    }

    private static double score(Candidate candidate, double drawn) {
        return candidate.weight() / -Math.log(drawn);
    }

    /** Maps a hash to the open interval (0, 1). */
    private static double uniform(long hash) {
        return ((hash >>> 11) + 0.5) * TWO_TO_MINUS_53;
    }

    private static long start(Generation key) {
        return mix(key.high() ^ mix(key.low()));
    }

    private static long hash(long start, NodeId node) {
        long hash = start;
        for (int i = 0; i < node.value().length(); i++) {
            hash = mix(hash + node.value().charAt(i));
        }
        return hash;
    }

    /** The finalizer of SplitMix64 with its increment, so that 0 does not map to 0. */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
