// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.albm.core.wire.Checksum;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads the stripes of one segment of a file. Every block is checked against its checksum, its name and its length;
 * a unit that is lost, for whatever reason, is the XOR of the others. A block that its node has lost or spoilt is written
 * back in place before the read completes; a node that does not answer is left out of the following reads, so that it costs
 * its deadline once and not once per stripe. Thread-safe.
 */
final class SegmentReader {
    private final BlockClient blocks;
    private final NamedFiles table;
    private final ByteBufAllocator allocator;
    private final StripeCounters counters;
    private final FileInfo file;
    private final Segment segment;
    private final StripeLayout layout;
    private final Set<NodeId> suspects;

    /** @param suspects nodes that did not answer; shared by the readers of a file */
    SegmentReader(StripedFiles files, FileInfo file, Segment segment, Set<NodeId> suspects) {
        this.blocks = files.blocks();
        this.table = files.named();
        this.allocator = files.allocator();
        this.counters = files.counters();
        this.file = file;
        this.segment = segment;
        this.layout = segment.layout();
        this.suspects = suspects;
    }

    FileInfo file() {
        return file;
    }

    Segment segment() {
        return segment;
    }

    /** Number of stripes. */
    long stripes() {
        return segment.stripes();
    }

    /** One unit of a stripe as it was found. */
    private sealed interface Unit {
        record Good(int index, ByteBuf body) implements Unit {}

        record Lost(int index, StorageException cause) implements Unit {}
    }

    /**
     * Reads a stripe's bytes without parity. The caller releases the buffer.
     *
     * @return fails with {@link StorageException.DataLost} if more units are lost than there is parity for, or
     *     {@link StorageException.FileChanged} if that is because the file was replaced or removed
     */
    CompletableFuture<ByteBuf> readStripe(long stripe) {
        IntPredicate data = unit -> unit < segment.geometry().dataUnits();
        return read(stripe, data)
                .thenCompose(
                        units -> lost(units).size() > 1 && forgetSuspects(units) ? read(stripe, data) : done(units))
                .thenCompose(units -> complete(stripe, units))
                .thenApply(this::join);
    }

    /** Makes one unit, data or parity, from all others of its stripe. The caller releases the buffer. */
    CompletableFuture<ByteBuf> reconstruct(long stripe, int unit) {
        return read(stripe, other -> other != unit).thenCompose(others -> {
            if (segment.geometry().parityUnits() == 0 || !lost(others).isEmpty()) {
                release(others);
                NodeId node = layout.nodeOf(stripe, unit);
                return unreadable(
                        stripe, new Unit.Lost(unit, new StorageException.BlockMissing(node, id(stripe, unit))), others);
            }
            counters.reconstructed.increment();
            ByteBuf body = xor(others, length(stripe, unit));
            release(others);
            return done(body);
        });
    }

    private CompletableFuture<List<Unit>> read(long stripe, IntPredicate wanted) {
        List<CompletableFuture<Unit>> reads = IntStream.range(
                        0, segment.geometry().width())
                .filter(unit -> wanted.test(unit) && length(stripe, unit) > 0)
                .mapToObj(unit -> read(stripe, unit))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        nothing -> reads.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<Unit> read(long stripe, int unit) {
        NodeId node = layout.nodeOf(stripe, unit);
        if (suspects.contains(node)) {
            return done(new Unit.Lost(unit, new StorageException.NodeUnreachable(node, "it did not answer before")));
        }
        return blocks.read(node, id(stripe, unit))
                .thenApply(block -> check(block, node, stripe, unit))
                .exceptionally(failure -> failed(unit, node, StorageException.unwrap(failure)));
    }

    private Unit check(Block block, NodeId node, long stripe, int unit) {
        BlockHeader header = block.header();
        ByteBuf body = block.body();
        BlockId id = id(stripe, unit);
        if (header.id().equals(id)
                && header.length() == length(stripe, unit)
                && body.readableBytes() == header.length()
                && Checksum.of(body) == header.crc32c()) {
            return new Unit.Good(unit, body);
        }
        body.release();
        return new Unit.Lost(
                unit, new StorageException.BlockCorrupt(node, id, "its content does not match its header"));
    }

    private Unit failed(int unit, NodeId node, Throwable failure) {
        if (failure instanceof StorageException.NodeUnreachable) {
            suspects.add(node);
        }
        return new Unit.Lost(
                unit,
                failure instanceof StorageException storage
                        ? storage
                        : new StorageException.NodeFailed(node, String.valueOf(failure.getMessage())));
    }

    /** Gives nodes that were left out another chance when a stripe cannot be read without them. */
    private boolean forgetSuspects(List<Unit> units) {
        if (suspects.isEmpty()) {
            return false;
        }
        suspects.clear();
        release(units);
        return true;
    }

    /** Fills in what is lost of a stripe's data units. */
    private CompletableFuture<List<Unit>> complete(long stripe, List<Unit> units) {
        List<Unit.Lost> lost = lost(units);
        if (lost.isEmpty()) {
            return done(units);
        }
        if (lost.size() > segment.geometry().parityUnits()) {
            release(units);
            return unreadable(stripe, lost.getFirst(), units);
        }
        return read(stripe, segment.geometry().dataUnits())
                .thenCompose(parity -> complete(stripe, units, lost.getFirst(), parity));
    }

    private CompletableFuture<List<Unit>> complete(long stripe, List<Unit> units, Unit.Lost lost, Unit parity) {
        if (!(parity instanceof Unit.Good good)) {
            release(units);
            return unreadable(stripe, lost, List.of(parity));
        }
        List<Unit> sources = new ArrayList<>(units);
        sources.add(good);
        ByteBuf body = xor(sources, length(stripe, lost.index()));
        good.body().release();
        counters.reconstructed.increment();
        List<Unit> whole = units.stream()
                .map(unit -> unit.equals(lost) ? new Unit.Good(lost.index(), body) : unit)
                .toList();
        return repair(stripe, lost, body).thenApply(nothing -> whole);
    }

    private ByteBuf xor(List<Unit> sources, int length) {
        ByteBuf target = allocator.directBuffer(length).writeZero(length);
        for (Unit source : sources) {
            if (source instanceof Unit.Good good) {
                ByteBuf body = good.body();
                Parity.xorInto(target, body.slice(body.readerIndex(), Math.min(length, body.readableBytes())));
            }
        }
        return target;
    }

    /** Writes a block back that its node has lost or spoilt. Never fails: the read has what it needs. */
    private CompletableFuture<Void> repair(long stripe, Unit.Lost lost, ByteBuf body) {
        return repairable(lost.cause())
                ? writeBack(stripe, lost.index(), body.retainedDuplicate()).exceptionally(failure -> null)
                : CompletableFuture.allOf();
    }

    /** Whether the node answers but the block is not what it should be. */
    static boolean repairable(Throwable failure) {
        return failure instanceof StorageException.BlockMissing || failure instanceof StorageException.BlockCorrupt;
    }

    /** Makes one unit from all others and writes it to its node. */
    CompletableFuture<Void> heal(long stripe, int unit) {
        return reconstruct(stripe, unit).thenCompose(body -> writeBack(stripe, unit, body));
    }

    /** Takes over {@code body}. A file that is gone is not written back: its blocks would never be found again. */
    private CompletableFuture<Void> writeBack(long stripe, int unit, ByteBuf body) {
        return table.again(file)
                .thenCompose(now -> now.filter(this::isAsItWas).isPresent()
                        ? put(stripe, unit, layout.nodeOf(stripe, unit), body.retain())
                        : CompletableFuture.failedFuture(new StorageException.FileChanged(file.path())))
                .whenComplete((nothing, failure) -> body.release());
    }

    private Optional<Segment> found(FileInfo now) {
        return now.content().segment(segment.generation());
    }

    private boolean isAsItWas(FileInfo now) {
        return found(now).filter(segment::equals).isPresent();
    }

    /** Puts a reconstructed unit on a node for good. Takes over one reference of {@code body}. */
    CompletableFuture<Void> put(long stripe, int unit, NodeId node, ByteBuf body) {
        BlockHeader header = new BlockHeader(id(stripe, unit), body.readableBytes(), Checksum.of(body));
        return blocks.write(node, header, WriteMode.REPAIR, null, body)
                .thenCompose(nothing -> blocks.seal(node, segment.generationId(), null))
                .thenAccept(count -> counters.repaired.increment());
    }

    private ByteBuf join(List<Unit> units) {
        CompositeByteBuf stripe = allocator.compositeBuffer(units.size());
        for (Unit unit : units) {
            if (unit instanceof Unit.Good good) {
                stripe.addComponent(true, good.body());
            }
        }
        return stripe;
    }

    /** Fails: because the file is another one by now, or because the data is lost. */
    private <T> CompletableFuture<T> unreadable(long stripe, Unit.Lost first, List<Unit> others) {
        List<StorageException> causes = Stream.concat(Stream.of(first), lost(others).stream())
                .distinct()
                .map(Unit.Lost::cause)
                .toList();
        return table.again(file)
                .thenCompose(now -> CompletableFuture.failedFuture(
                        now.flatMap(this::found).isPresent()
                                ? new StorageException.DataLost(file.path(), stripe, causes)
                                : new StorageException.FileChanged(file.path())));
    }

    private static List<Unit.Lost> lost(List<Unit> units) {
        return units.stream()
                .filter(Unit.Lost.class::isInstance)
                .map(Unit.Lost.class::cast)
                .toList();
    }

    private static void release(List<Unit> units) {
        for (Unit unit : units) {
            if (unit instanceof Unit.Good good) {
                good.body().release();
            }
        }
    }

    StripeLayout layout() {
        return layout;
    }

    BlockId id(long stripe, int unit) {
        return new BlockId(segment.generationId(), stripe, unit);
    }

    int length(long stripe, int unit) {
        StripeGeometry geometry = segment.geometry();
        return geometry.unitLength(geometry.bytesInStripe(segment.length(), stripe), unit);
    }

    private static <T> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
