// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads ranges of the stripes of one segment of a file. What is lost of a unit is made of the same range of the others. A
 * block that its node has lost or spoilt is written back in place, as a whole: before the read completes, or in the background of
 * a store that has one ({@link StripedFiles#early}). Of a unit that is kept as copies, each reader takes one by chance, so that many
 * readers of a small file share its nodes.
 *
 * <p>A node that is slow is read past: its units are made of the others. When a range cannot be read like that, all nodes are
 * asked and waited for, whatever other reads think of them; then, if checksums were wrong, it is read chunk by chunk, since the
 * spoilt chunks of several units need not be at the same place. Thread-safe.
 */
final class SegmentReader {
    private final StripedFiles files;
    private final NamedFiles table;
    private final BlockClient blocks;
    private final ByteBufAllocator allocator;
    private final StripeCounters counters;
    private final FileInfo file;
    private final Segment segment;
    private final StripeLayout layout;
    private final Way hasty;
    private final Way patient;
    private final int copy;
    private final Set<BlockId> healing = ConcurrentHashMap.newKeySet();

    /** @param suspects shared by the readers of a file */
    SegmentReader(StripedFiles files, FileInfo file, Segment segment, Suspects suspects) {
        this.files = files;
        this.blocks = files.blocks();
        this.table = files.named();
        this.allocator = files.allocator();
        this.counters = files.counters();
        this.file = file;
        this.segment = segment;
        this.layout = segment.layout();
        this.copy = files.random().nextInt(segment.geometry().parityUnits() + 1);
        this.patient = way(UnitReader.patient(blocks, segment, suspects));
        this.hasty = segment.geometry().parityUnits() > 0 ? way(UnitReader.hasty(blocks, segment, suspects)) : patient;
    }

    private Way way(UnitReader units) {
        return new Way(units, new StripeRecovery(file.path(), segment.geometry(), units, allocator));
    }

    /** How units are read, and made of others that are read like that. */
    private record Way(UnitReader units, StripeRecovery recovery) {}

    FileInfo file() {
        return file;
    }

    Segment segment() {
        return segment;
    }

    StripeLayout layout() {
        return layout;
    }

    /** Number of stripes. */
    long stripes() {
        return segment.stripes();
    }

    BlockId id(long stripe, int unit) {
        return patient.units().id(stripe, unit);
    }

    /** Bytes of a unit, data or parity; 0 if it does not exist. */
    int length(long stripe, int unit) {
        return patient.units().length(stripe, unit);
    }

    /** Most that making a unit of a stripe holds in memory: those that it is made from, and itself. */
    long repairBytes() {
        StripeGeometry geometry = segment.geometry();
        return Math.min(geometry.unitBytes(), segment.length()) * (geometry.dataUnits() + 1L);
    }

    /** One way to get ranges of units, one after the other in one buffer; fails with {@link StorageException.DataLost}. */
    @FunctionalInterface
    private interface Attempt {
        CompletableFuture<ByteBuf> read(Way way, long stripe, List<UnitRange> ranges);
    }

    /**
     * Reads a range of a stripe's bytes, parity not counted. The caller releases the buffer.
     *
     * @param from its start in the stripe, in bytes
     * @param length bytes, at least 1
     * @return fails with {@link StorageException.DataLost} if more units are lost than there is parity for, or
     *     {@link StorageException.FileChanged} if that is because the file was replaced or removed, or has the segment elsewhere
     */
    CompletableFuture<ByteBuf> read(long stripe, int from, int length) {
        StripeGeometry geometry = segment.geometry();
        List<UnitRange> ranges = geometry.rangesOf(from, length);
        return insist(stripe, isCopied(stripe) ? copied(ranges) : ranges, this::readAndRepair);
    }

    private boolean isCopied(long stripe) {
        StripeGeometry geometry = segment.geometry();
        return geometry.isCopied(geometry.bytesInStripe(segment.length(), stripe));
    }

    private List<UnitRange> copied(List<UnitRange> ranges) {
        int unit = copy == 0 ? 0 : segment.geometry().dataUnits() + copy - 1;
        return ranges.stream().map(range -> range.of(unit)).toList();
    }

    /** Reads one unit, data or parity, or makes it from others of its stripe. The caller releases the buffer. */
    CompletableFuture<ByteBuf> unit(long stripe, int unit) {
        return insist(stripe, List.of(whole(stripe, unit)), this::readOnly);
    }

    /** Makes one unit, data or parity, from all others of its stripe. The caller releases the buffer. */
    CompletableFuture<ByteBuf> reconstruct(long stripe, int unit) {
        return insist(stripe, List.of(whole(stripe, unit)), this::makeOfOthers);
    }

    /** Writes one unit anew that its node has lost or spoilt, with what can be had of it. Its name is durable after {@link #seal}. */
    CompletableFuture<Void> heal(long stripe, int unit) {
        return unit(stripe, unit).thenCompose(body -> writeBack(stripe, unit, body));
    }

    private UnitRange whole(long stripe, int unit) {
        return new UnitRange(unit, 0, length(stripe, unit));
    }

    private CompletableFuture<ByteBuf> insist(long stripe, List<UnitRange> ranges, Attempt attempt) {
        return hastyThenPatient(stripe, ranges, attempt)
                .exceptionallyCompose(
                        failure -> isSpoilt(failure) ? chunkByChunk(stripe, ranges, attempt) : failed(failure))
                .exceptionallyCompose(failure -> isLoss(failure) ? explain(failure) : failed(failure));
    }

    private CompletableFuture<ByteBuf> hastyThenPatient(long stripe, List<UnitRange> ranges, Attempt attempt) {
        return attempt.read(hasty, stripe, ranges)
                .exceptionallyCompose(failure ->
                        StorageException.unwrap(failure) instanceof StorageException.DataLost lost && lost.mayPass()
                                ? attempt.read(patient, stripe, ranges)
                                : failed(failure));
    }

    private static boolean isLoss(Throwable failure) {
        return StorageException.unwrap(failure) instanceof StorageException.DataLost;
    }

    private static boolean isSpoilt(Throwable failure) {
        return StorageException.unwrap(failure) instanceof StorageException.DataLost lost
                && lost.causes().stream().anyMatch(StorageException.BlockCorrupt.class::isInstance);
    }

    private CompletableFuture<ByteBuf> chunkByChunk(long stripe, List<UnitRange> ranges, Attempt attempt) {
        List<UnitRange> chunks =
                ranges.stream().flatMap(range -> range.chunks().stream()).toList();
        List<ByteBuf> read = new ArrayList<>();
        return Lanes.run(
                        chunks.size(),
                        1,
                        index -> hastyThenPatient(stripe, List.of(chunks.get((int) index)), attempt)
                                .thenAccept(read::add))
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        read.forEach(ByteBuf::release);
                    }
                })
                .thenApply(nothing -> join(read));
    }

    private CompletableFuture<ByteBuf> readAndRepair(Way way, long stripe, List<UnitRange> ranges) {
        return way.units()
                .read(stripe, ranges)
                .thenCompose(found -> complete(way, stripe, found)
                        .thenCompose(whole -> repair(stripe, found, whole).thenApply(nothing -> join(bodies(whole)))));
    }

    private CompletableFuture<ByteBuf> readOnly(Way way, long stripe, List<UnitRange> ranges) {
        return way.units()
                .read(stripe, ranges)
                .thenCompose(found -> complete(way, stripe, found))
                .thenApply(whole -> join(bodies(whole)));
    }

    private CompletableFuture<ByteBuf> makeOfOthers(Way way, long stripe, List<UnitRange> ranges) {
        List<Unit> lost = ranges.stream()
                .<Unit>map(range -> new Unit.Lost(
                        range,
                        new StorageException.BlockMissing(
                                layout.nodeOf(stripe, range.unit()), id(stripe, range.unit()))))
                .toList();
        return complete(way, stripe, lost).thenApply(made -> join(bodies(made)));
    }

    /** All that was wanted, in its order, with what was lost made anew. Takes over what was found. */
    private CompletableFuture<List<Unit.Good>> complete(Way way, long stripe, List<Unit> found) {
        List<Unit.Lost> lost = Unit.lost(found);
        if (lost.isEmpty()) {
            return CompletableFuture.completedFuture(Unit.good(found));
        }
        return way.recovery()
                .recover(stripe, lost, Unit.good(found))
                .whenComplete((made, failure) -> {
                    if (failure != null) {
                        Unit.release(found);
                    }
                })
                .thenApply(made -> {
                    counters.reconstructed.add(made.size());
                    counters.slow.add(lost.stream().filter(Unit.Lost::isSlow).count());
                    Iterator<Unit.Good> next = made.iterator();
                    return found.stream()
                            .map(unit -> unit instanceof Unit.Good good ? good : next.next())
                            .toList();
                });
    }

    /** Writes blocks back that their nodes have lost or spoilt. Never fails: the read has what it needs. */
    private CompletableFuture<Void> repair(long stripe, List<Unit> found, List<Unit.Good> whole) {
        if (!file.isInTable()) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Void>> repairs = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) instanceof Unit.Lost lost && lost.isRepairable()) {
                repairs.add(repair(stripe, whole.get(i)));
            }
        }
        return files.inBackground(CompletableFuture.allOf(repairs.toArray(CompletableFuture<?>[]::new)));
    }

    private CompletableFuture<Void> repair(long stripe, Unit.Good made) {
        int unit = made.range().unit();
        BlockId id = id(stripe, unit);
        if (!healing.add(id)) {
            return CompletableFuture.allOf();
        }
        CompletableFuture<Void> repaired = made.range().equals(whole(stripe, unit))
                ? writeBack(stripe, unit, made.body().retainedDuplicate())
                : heal(stripe, unit);
        return repaired.thenCompose(nothing -> seal(layout.nodeOf(stripe, unit)))
                .handle((count, leftToTheScrub) -> {
                    healing.remove(id);
                    return null;
                });
    }

    /** Takes over {@code body}. A file that is gone is not written back: its blocks would never be found again. */
    private CompletableFuture<Void> writeBack(long stripe, int unit, ByteBuf body) {
        return checkUnmoved()
                .thenCompose(nothing -> put(stripe, unit, layout.nodeOf(stripe, unit), body.retain()))
                .whenComplete((nothing, failure) -> body.release());
    }

    /** Fails with {@link StorageException.FileChanged} if the file does not need the segment any more, or has it elsewhere. */
    CompletableFuture<Void> checkUnmoved() {
        return current()
                .thenCompose(now -> now.filter(segment::equals).isPresent()
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new StorageException.FileChanged(file.path())));
    }

    /** The segment as the file has it by now, perhaps elsewhere; empty if it does not need it any more. */
    CompletableFuture<Optional<Segment>> current() {
        return table.again(file)
                .thenApply(now -> now.flatMap(there -> there.content().segment(segment.generation())));
    }

    /** Puts a unit on a node. Its name is durable after {@link #seal}. Takes over one reference of {@code body}. */
    CompletableFuture<Void> put(long stripe, int unit, NodeId node, ByteBuf body) {
        return blocks.write(node, BlockHeader.of(id(stripe, unit), body), WriteMode.REPAIR, null, body)
                .thenAccept(nothing -> counters.repaired.increment());
    }

    /** Makes the names of the segment's blocks durable on a node, and counts them. */
    CompletableFuture<Long> seal(NodeId node) {
        return blocks.seal(node, segment.generationId(), null);
    }

    private static List<ByteBuf> bodies(List<Unit.Good> units) {
        return units.stream().map(Unit.Good::body).toList();
    }

    private ByteBuf join(List<ByteBuf> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        CompositeByteBuf all = allocator.compositeBuffer(parts.size());
        parts.forEach(part -> all.addComponent(true, part));
        return all;
    }

    /** Fails: because the file is another one or elsewhere by now, or because the data is lost. */
    private <T> CompletableFuture<T> explain(Throwable loss) {
        return !file.isInTable() ? failed(loss) : checkUnmoved().thenCompose(nothing -> failed(loss));
    }

    private static <T> CompletableFuture<T> failed(Throwable failure) {
        return CompletableFuture.failedFuture(failure);
    }
}
