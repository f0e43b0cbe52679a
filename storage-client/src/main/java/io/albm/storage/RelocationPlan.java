// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says what of a segment moves where. Pure.
 *
 * <p>Givers and takers follow from the order in which units go to nodes ({@link RendezvousPlacement}): a segment that lies where
 * it would be placed does so after a node has come or gone, too, for which one unit moves at most. Of one that lies elsewhere, no
 * unit moves to a failure domain that has more than another one that could take it.
 */
@FunctionalInterface
interface RelocationPlan {
    /**
     * What moves of a segment.
     *
     * @param path a path of its file, for errors
     * @param full takers that have no room, which are spared where another one can be taken instead
     * @return empty if nothing does
     * @throws StorageException.NoReplacement if something should and no node can take it
     */
    Optional<Relocation.Move> of(String path, Segment segment, Set<NodeId> full) throws StorageException;

    /** What moves of a segment if all takers have room. */
    default Optional<Relocation.Move> of(String path, Segment segment) throws StorageException {
        return of(path, segment, Set.of());
    }

    /**
     * All that a node holds goes to others.
     *
     * @param takers the nodes that may take blocks
     * @param domains of all nodes
     * @param onto the one that takes all; null chooses one for each segment
     */
    static RelocationPlan off(
            NodeId node,
            List<RendezvousPlacement.Candidate> takers,
            Function<NodeId, FailureDomain> domains,
            @Nullable NodeId onto) {
        List<RendezvousPlacement.Candidate> allowed = takers.stream()
                .filter(taker -> onto == null || onto.equals(taker.node()))
                .toList();
        return (path, segment, full) -> {
            if (!segment.liesOn(node)) {
                return Optional.empty();
            }
            return Optional.of(move(node, segment, sparing(full, allowed), domains)
                    .orElseThrow(() -> new StorageException.NoReplacement(path, node)));
        };
    }

    /**
     * A node that has joined takes what it would have been given, had it been there: of each segment that rendezvous hashing
     * places on it, what the last choice of those that hold it has. Nodes that are not to take blocks are left alone.
     *
     * @param takers the nodes that may take blocks, the new one among them
     * @param domains of all nodes
     */
    static RelocationPlan onto(
            NodeId node, List<RendezvousPlacement.Candidate> takers, Function<NodeId, FailureDomain> domains) {
        return (path, segment, full) -> {
            if (segment.liesOn(node)) {
                return Optional.empty();
            }
            List<NodeId> able = ranked(segment, takers, taker -> segment.liesOn(taker) || taker.equals(node));
            NodeId last = inRounds(segment, able, domains).reversed().stream()
                    .filter(able::contains)
                    .findFirst()
                    .orElseThrow();
            return last.equals(node) ? Optional.empty() : Optional.of(new Relocation.Move(last, node));
        };
    }

    /**
     * Units that are more than M of their failure domain go to other domains, one after the other.
     *
     * @param takers the nodes that may take blocks
     * @param domains of all nodes
     * @return fails with {@link StorageException.CannotSpread} where none can be moved that has to be
     */
    static RelocationPlan apart(List<RendezvousPlacement.Candidate> takers, Function<NodeId, FailureDomain> domains) {
        return (path, segment, full) -> {
            int crowd = DomainSpread.crowd(segment, domains);
            if (crowd == 0) {
                return Optional.empty();
            }
            NodeId last = inRounds(segment, ranked(segment, takers, segment::liesOn), domains)
                    .getLast();
            return Optional.of(move(last, segment, sparing(full, takers), domains)
                    .filter(move -> DomainSpread.crowd(move.of(segment), domains) < crowd)
                    .orElseThrow(() -> new StorageException.CannotSpread(path, domains.apply(last))));
        };
    }

    /** Files of which something should move, and has to be put where a failure domain has more units than may be lost. */
    default long crowds(List<FileInfo> files, Function<NodeId, FailureDomain> domains) {
        return files.stream()
                .filter(file ->
                        file.content().segments().stream().anyMatch(segment -> crowds(file.path(), segment, domains)))
                .count();
    }

    private boolean crowds(String path, Segment segment, Function<NodeId, FailureDomain> domains) {
        try {
            return of(path, segment)
                    .filter(move -> DomainSpread.isMoreCrowded(move.of(segment), segment, domains))
                    .isPresent();
        } catch (StorageException nothingMoves) {
            return false;
        }
    }

    private static List<RendezvousPlacement.Candidate> sparing(
            Set<NodeId> full, List<RendezvousPlacement.Candidate> takers) {
        return takers.stream().filter(taker -> !full.contains(taker.node())).toList();
    }

    /** To the best node of those that have none of the segment, in a domain that has the fewest of its other units. */
    private static Optional<Relocation.Move> move(
            NodeId from,
            Segment segment,
            List<RendezvousPlacement.Candidate> takers,
            Function<NodeId, FailureDomain> domains) {
        List<RendezvousPlacement.Candidate> free =
                takers.stream().filter(taker -> !segment.liesOn(taker.node())).toList();
        Stream<FailureDomain> others =
                segment.nodes().stream().filter(holder -> !holder.equals(from)).map(domains);
        return RendezvousPlacement.choose(segment.generationId(), DomainSpread.emptiest(free, others), 1).stream()
                .findFirst()
                .map(to -> new Relocation.Move(from, to));
    }

    /** Some of the takers, best first. */
    private static List<NodeId> ranked(
            Segment segment, List<RendezvousPlacement.Candidate> takers, Predicate<NodeId> which) {
        return RendezvousPlacement.ranked(
                segment.generationId(),
                takers.stream().filter(taker -> which.test(taker.node())).toList());
    }

    /** Holders of a segment that take no more blocks, then those that do: in rounds over their domains. */
    private static List<NodeId> inRounds(Segment segment, List<NodeId> able, Function<NodeId, FailureDomain> domains) {
        Stream<NodeId> left = segment.nodes().stream().filter(holder -> !able.contains(holder));
        return DomainSpread.inRounds(Stream.concat(left, able.stream()).toList(), domains);
    }
}
