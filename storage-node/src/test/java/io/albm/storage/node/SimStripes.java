// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Segment;
import io.albm.storage.StripeCode;
import io.albm.storage.StripeGeometry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What a segment consists of, made of what the disks have by another way than readers do, so that the two can be held against
 * each other.
 *
 * @param bytes null if too little of it is there
 * @param headers of all blocks, as far as they are known
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SimStripes(byte @Nullable [] bytes, Map<BlockId, BlockHeader> headers) {
    /** The blocks of each stripe, by unit; units past a segment's end have none. */
    static <B> List<List<B>> blocks(Segment segment, List<SimIoNode> nodes, BiFunction<SimIoNode, BlockId, B> maker) {
        StripeGeometry geometry = segment.geometry();
        return LongStream.range(0, segment.stripes())
                .mapToObj(stripe -> IntStream.range(0, geometry.width())
                        .filter(unit -> geometry.unitLength(geometry.bytesInStripe(segment.length(), stripe), unit) > 0)
                        .mapToObj(unit -> maker.apply(
                                nodes.get(Math.floorMod(unit - stripe * geometry.parityUnits(), geometry.width())),
                                new BlockId(segment.generationId(), stripe, unit)))
                        .toList())
                .toList();
    }

    private record Placed(SimIoNode node, BlockId id) {}

    /** @param nodes of the segment in the order of its layout */
    static SimStripes read(Segment segment, List<SimIoNode> nodes) {
        ByteBuffer bytes = ByteBuffer.allocate((int) segment.length());
        Map<BlockId, BlockHeader> headers = new HashMap<>();
        boolean whole = true;
        for (List<Placed> stripe : blocks(segment, nodes, Placed::new)) {
            whole &= read(segment, stripe, bytes, headers);
        }
        return new SimStripes(whole ? bytes.array() : null, headers);
    }

    private static boolean read(
            Segment segment, List<Placed> stripe, ByteBuffer bytes, Map<BlockId, BlockHeader> headers) {
        StripeGeometry geometry = segment.geometry();
        Map<Integer, ByteBuf> units = new TreeMap<>();
        List<Integer> lost = new ArrayList<>();
        for (Placed placed : stripe) {
            ByteBuf body = body(placed);
            if (body == null) {
                lost.add(placed.id().unit());
            } else {
                units.put(placed.id().unit(), body);
            }
        }
        if (lost.size() > geometry.parityUnits()) {
            return false;
        }
        make(geometry, units, lost);
        List<Integer> parity =
                IntStream.range(geometry.dataUnits(), geometry.width()).boxed().toList();
        units.keySet().removeAll(parity); // it has to be what the data says
        make(geometry, units, parity);
        stripe.forEach(placed -> give(segment, placed.id(), units, bytes, headers));
        return true;
    }

    private static @Nullable ByteBuf body(Placed placed) {
        try {
            return placed.node().header(placed.id()).isEmpty()
                    ? null
                    : Unpooled.wrappedBuffer(placed.node().body(placed.id()));
        } catch (IOException missing) {
            return null;
        }
    }

    /** Makes units of others. */
    private static void make(StripeGeometry geometry, Map<Integer, ByteBuf> known, List<Integer> units) {
        List<ByteBuf> made =
                StripeCode.restore(geometry.dataUnits(), known, units, geometry.unitBytes(), SimAllocator.INSTANCE);
        for (int i = 0; i < units.size(); i++) {
            known.put(units.get(i), made.get(i));
        }
    }

    private static void give(
            Segment segment,
            BlockId id,
            Map<Integer, ByteBuf> units,
            ByteBuffer bytes,
            Map<BlockId, BlockHeader> headers) {
        StripeGeometry geometry = segment.geometry();
        int inStripe = geometry.bytesInStripe(segment.length(), id.stripe());
        ByteBuf body = Objects.requireNonNull(units.get(id.unit())).slice(0, geometry.unitLength(inStripe, id.unit()));
        headers.put(id, BlockHeader.of(id, body));
        if (id.unit() < geometry.dataUnits()) {
            bytes.put(body.nioBuffer());
        }
    }
}
