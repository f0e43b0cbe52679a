// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.FileInfo;
import io.albm.storage.Segment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that files need, held against what the disks have of them. Of a stripe no more may be missing than was damaged
 * on purpose: what nobody damaged is there and would survive a loss of power, from the step that makes it part of a file to
 * the one that frees it.
 *
 * <p>Looks again only at what has changed since.
 */
final class SimSegments {
    /** What a disk has of a block. */
    private enum Condition {
        LOST,
        WHOLE,
        /** Whole, and still so after a loss of power. */
        SURE
    }

    private final Function<Segment, List<SimIoNode>> nodes;
    private final int parityUnits;
    private final Map<String, Kept> segments = new HashMap<>();
    private final Map<Place, Block> blocks = new HashMap<>();
    private final Set<Block> changed = new LinkedHashSet<>();
    private final Set<Place> damaged = new HashSet<>();
    /** Disks that were lost while something was announced that may be on them. */
    private final Map<String, Set<SimIoNode>> exposed = new HashMap<>();

    private final List<String> harm = new ArrayList<>();

    /** @param nodes of a segment in the order of its layout */
    SimSegments(Function<Segment, List<SimIoNode>> nodes, int parityUnits) {
        this.nodes = nodes;
        this.parityUnits = parityUnits;
    }

    private record Place(SimIoNode node, String file) {}

    private final class Block {
        private final Place place;
        private final BlockId id;
        private final Kept segment;
        private Condition condition = Condition.SURE;

        private Block(SimIoNode node, BlockId id, Kept segment) {
            this.place = new Place(node, SimIoNode.fileOf(id));
            this.id = id;
            this.segment = segment;
        }

        private void look() {
            Optional<BlockHeader> found = place.node().header(id);
            Condition before = condition;
            condition = found.isEmpty()
                    ? Condition.LOST
                    : place.node().disk.isSure(place.file()) ? Condition.SURE : Condition.WHOLE;
            if (found.isPresent() && segment.differs(id, found.get())) {
                harm.add("NO WRONG BYTES: " + this + " has other content than was written");
            }
            if (condition == Condition.SURE) {
                damaged.remove(place);
            } else if (before == Condition.SURE && !damaged.contains(place)) {
                harm.add("NOTHING IS LOST THAT NOBODY DAMAGED: " + this + " was to be safe, and is " + condition);
            }
        }

        @Override
        public String toString() {
            return place.node().id + " " + id;
        }
    }

    /** A segment that a file needs. */
    private final class Kept {
        private final Segment segment;
        private final SimStripes stripes;
        private final List<List<Block>> placed;

        private Kept(Segment segment, @Nullable Kept before) {
            this.segment = segment;
            this.placed = SimStripes.blocks(segment, nodes.apply(segment), (node, id) -> new Block(node, id, this));
            this.stripes = before == null ? SimStripes.read(segment, nodes.apply(segment)) : before.stripes;
        }

        private boolean differs(BlockId id, BlockHeader found) {
            BlockHeader written = stripes.headers().get(id);
            return written != null && !written.equals(found);
        }

        private Stream<Block> all() {
            return placed.stream().flatMap(List::stream);
        }

        private boolean isReadable() {
            return placed.stream()
                    .allMatch(stripe ->
                            count(stripe, Condition.LOST) <= segment.geometry().parityUnits());
        }

        /** The stripes of which one more block may be lost, of those that are not on {@code except}. */
        private Stream<List<Block>> bearing(@Nullable SimIoNode except) {
            int more = exposed.getOrDefault(segment.generation(), Set.of()).size();
            return placed.stream()
                    .map(stripe -> stripe.stream()
                            .filter(block -> block.place.node() != except)
                            .toList())
                    .filter(stripe -> stripe.size() - count(stripe, Condition.SURE) + more < parityUnits);
        }
    }

    private static long count(List<Block> stripe, Condition condition) {
        return stripe.stream().filter(block -> block.condition == condition).count();
    }

    /** Files have changed, or what is announced. */
    void tableChanged(Collection<FileInfo> files, Set<String> announced) {
        Map<String, Segment> needed = new HashMap<>();
        files.stream()
                .flatMap(file -> file.content().segments().stream())
                .filter(segment -> !segment.isInline())
                .forEach(segment -> needed.put(segment.generation(), segment));
        Map<String, Kept> before = Map.copyOf(segments);
        before.values().stream()
                .filter(kept -> !kept.segment.equals(needed.get(kept.segment.generation())))
                .forEach(this::forget);
        needed.forEach((generation, segment) -> {
            if (!segments.containsKey(generation)) {
                keep(new Kept(segment, before.get(generation)));
            }
        });
        damaged.retainAll(blocks.keySet());
        exposed.keySet().retainAll(announced);
        announced.forEach(generation -> exposed.computeIfAbsent(generation, begun -> new HashSet<>()));
    }

    private void keep(Kept kept) {
        segments.put(kept.segment.generation(), kept);
        Set<SimIoNode> lost = exposed.getOrDefault(kept.segment.generation(), Set.of());
        kept.all().forEach(block -> {
            blocks.put(block.place, block);
            if (lost.contains(block.place.node())) {
                damaged.add(block.place);
            }
            block.look();
        });
    }

    private void forget(Kept kept) {
        segments.remove(kept.segment.generation());
        kept.all().forEach(block -> {
            blocks.remove(block.place);
            changed.remove(block);
        });
    }

    /** A file of a node's disk has changed. */
    void diskChanged(SimIoNode node, String file) {
        Block block = blocks.get(new Place(node, file));
        if (block != null) {
            changed.add(block);
        }
    }

    /** What is wrong, in words; empty if nothing is. */
    List<String> harm() {
        lookAgain();
        return harm;
    }

    private void lookAgain() {
        if (!changed.isEmpty()) {
            changed.forEach(Block::look);
            changed.clear();
        }
    }

    /** Whether all stripes bear the loss of a node's disk, and those of writes under way. */
    boolean bearsLossOf(SimIoNode node) {
        lookAgain();
        return exposed.values().stream().allMatch(lost -> lost.size() < parityUnits)
                && segments.values().stream()
                        .allMatch(kept -> kept.bearing(node).count() == kept.placed.size());
    }

    /** A disk is about to be lost. */
    void expose(SimIoNode node) {
        exposed.values().forEach(lost -> lost.add(node));
        blocks.keySet().stream().filter(place -> place.node() == node).forEach(damaged::add);
    }

    /** Each has one bit rot in another block of a stripe that bears it. */
    List<Runnable> rots() {
        lookAgain();
        return segments.values().stream()
                .sorted((a, b) -> a.segment.generation().compareTo(b.segment.generation()))
                .flatMap(kept -> kept.bearing(null))
                .flatMap(List::stream)
                .filter(block -> block.condition == Condition.SURE)
                .<Runnable>map(block -> () -> rot(block))
                .toList();
    }

    private void rot(Block block) {
        damaged.add(block.place);
        block.place.node().disk.rot(block.place.file());
    }

    /** The bytes of a file, if the disks have enough of it. */
    Optional<byte[]> bytes(Content content) {
        lookAgain();
        byte[] bytes = new byte[(int) content.length()];
        for (Segment segment : content.segments()) {
            byte[] from = bytes(segment);
            if (from == null) {
                return Optional.empty();
            }
            for (Extent extent : content.extents()) {
                if (extent.generation().equals(segment.generation())) {
                    System.arraycopy(from, (int) extent.from(), bytes, (int) extent.at(), (int) extent.length());
                }
            }
        }
        return Optional.of(bytes);
    }

    boolean isReadable(Content content) {
        lookAgain();
        return content.segments().stream()
                .filter(segment -> !segment.isInline())
                .map(segment -> segments.get(segment.generation()))
                .allMatch(kept -> kept != null && kept.isReadable());
    }

    private byte @Nullable [] bytes(Segment segment) {
        if (segment.inline() != null) {
            return segment.inline().toArray();
        }
        Kept kept = segments.get(segment.generation());
        return kept == null || !kept.isReadable() ? null : kept.stripes.bytes();
    }

    /** Whether every block is there and durable. */
    boolean isWhole() {
        lookAgain();
        return blocks.values().stream().allMatch(block -> block.condition == Condition.SURE);
    }

    /** The blocks that are not. */
    List<String> missing() {
        lookAgain();
        return blocks.values().stream()
                .filter(block -> block.condition != Condition.SURE)
                .map(block -> block + " " + block.condition)
                .toList();
    }

    /** Whether a file has a segment of that generation on the node. */
    boolean isNeeded(SimIoNode node, String generation) {
        Kept kept = segments.get(generation);
        return kept != null && kept.segment.nodes().contains(node.id);
    }
}
