// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.albm.storage.RendezvousPlacement.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** Nodes {@code n-0}, {@code n-1}, ... in failure domains {@code d-0}, {@code d-1}, ... */
final class Domains {
    private Domains() {}

    /** Equal nodes, so many in each domain. */
    static List<Candidate> sized(List<Integer> sizes) {
        return sized(sizes, () -> 1);
    }

    /** One to six domains of one to five nodes of different weights, so many nodes in all at least. */
    static List<Candidate> random(Random random, int least) {
        List<Integer> sizes = random.ints(1 + random.nextInt(6), 1, 6).boxed().toList();
        return sizes.stream().mapToInt(size -> size).sum() < least
                ? random(random, least)
                : sized(sizes, () -> 1 + random.nextInt(3));
    }

    private static List<Candidate> sized(List<Integer> sizes, IntSupplier weights) {
        List<Candidate> nodes = new ArrayList<>();
        for (int domain = 0; domain < sizes.size(); domain++) {
            for (int i = 0; i < sizes.get(domain); i++) {
                nodes.add(node(nodes.size(), domain, weights.getAsInt()));
            }
        }
        return List.copyOf(nodes);
    }

    static Candidate node(int number, int domain, double weight) {
        return new Candidate(new NodeId("n-" + number), weight, new FailureDomain("d-" + domain));
    }

    /** What these nodes are in; others are domains by themselves. */
    static Function<NodeId, FailureDomain> of(List<Candidate> nodes) {
        Map<NodeId, FailureDomain> domains =
                nodes.stream().collect(Collectors.toMap(Candidate::node, Candidate::domain));
        return node -> domains.getOrDefault(node, FailureDomain.of(node));
    }

    static int count(List<Candidate> nodes) {
        return (int) nodes.stream().map(Candidate::domain).distinct().count();
    }
}
