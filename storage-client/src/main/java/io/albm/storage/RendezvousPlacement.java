// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Weighted rendezvous hashing (Thaler and Ravishankar 1998; the weighting is Schindelhauer and Schomaker's logarithmic
 * method, 2005): every node draws a score from a hash of its own name and the key, and the highest scores win. A node
 * that joins takes only what it wins, a node that leaves gives away only what it held, and shares follow the weights.
 * Placing a key costs one hash per node and a heap of those that are chosen.
 */
final class RendezvousPlacement {
    /** @param weight relative share, above 0; in practice the node's capacity */
    record Candidate(NodeId node, double weight) {
        Candidate {
            if (!(weight > 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException(node + ": weight " + weight + ", expected a number above 0");
            }
        }
    }

    private record Scored(NodeId node, double score) {}

    private static final Comparator<Scored> BEST_FIRST = Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparing(scored -> scored.node().value());

    private static final double TWO_TO_MINUS_53 = 0x1.0p-53;

    private RendezvousPlacement() {}

    /** The {@code count} best nodes for {@code key}, best first; the same for any order of the candidates. */
    static List<NodeId> choose(Generation key, Collection<Candidate> candidates, int count) {
        if (count == 0) {
            return List.of();
        }
        long start = start(key);
        PriorityQueue<Scored> best = new PriorityQueue<>(BEST_FIRST.reversed());
        for (Candidate candidate : candidates) {
            double score = score(start, candidate);
            if (best.size() < count) {
                best.add(new Scored(candidate.node(), score));
            } else if (score >= best.element().score()) {
                best.add(new Scored(candidate.node(), score));
                best.remove();
            }
        }
        return best.stream().sorted(BEST_FIRST).map(Scored::node).toList();
    }

    private static double score(long start, Candidate candidate) {
        return candidate.weight() / -Math.log(uniform(hash(start, candidate.node())));
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
