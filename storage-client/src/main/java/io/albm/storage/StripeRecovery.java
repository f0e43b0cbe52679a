// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Makes lost ranges of units from the same range of other units of their stripe, and of nothing more: as many as the stripe has
 * data units there tell all. Data units are read before parity units, and these as they are needed. Thread-safe.
 */
final class StripeRecovery {
    private final String path;
    private final StripeGeometry geometry;
    private final UnitReader units;
    private final ByteBufAllocator allocator;

    /** @param path the file's, for errors */
    StripeRecovery(String path, StripeGeometry geometry, UnitReader units, ByteBufAllocator allocator) {
        this.path = path;
        this.geometry = geometry;
        this.units = units;
        this.allocator = allocator;
    }

    /**
     * Makes what is lost.
     *
     * @param lost ranges of different units, at least one
     * @param found ranges that were read already; stay the caller's
     * @return the lost ranges in their order; fails with {@link StorageException.DataLost}
     */
    CompletableFuture<List<Unit.Good>> recover(long stripe, List<Unit.Lost> lost, List<Unit.Good> found) {
        return new Recovery(stripe, lost).run(found);
    }

    /** One recovery: from the first lost byte to the last one, what is known of each unit and who was not asked yet. */
    private final class Recovery {
        private final long stripe;
        private final List<UnitRange> wanted;
        private final List<Unit.Lost> lost;
        private final int from;
        private final int end;
        private final Map<Integer, ByteBuf> known = new HashMap<>();
        private final Deque<UnitRange> others = new ArrayDeque<>();

        /** Data units that have bytes there: as many units must be known. Those of others are zeros. */
        private final List<Integer> data;

        private Recovery(long stripe, List<Unit.Lost> lost) {
            this.stripe = stripe;
            this.lost = new ArrayList<>(lost);
            this.wanted = lost.stream().map(Unit.Lost::range).toList();
            this.from = wanted.stream().mapToInt(UnitRange::from).min().orElseThrow();
            this.end = wanted.stream().mapToInt(UnitRange::end).max().orElseThrow();
            this.data = IntStream.range(0, geometry.dataUnits())
                    .filter(unit -> units.length(stripe, unit) > from)
                    .boxed()
                    .toList();
        }

        private CompletableFuture<List<Unit.Good>> run(List<Unit.Good> found) {
            for (int unit = 0; unit < geometry.width(); unit++) {
                int length = Math.min(end, units.length(stripe, unit)) - from;
                if (length > 0 && !isLost(unit)) {
                    take(new UnitRange(unit, from, length), found);
                }
            }
            return readOn();
        }

        private boolean isLost(int unit) {
            return lost.stream().anyMatch(range -> range.range().unit() == unit);
        }

        private void take(UnitRange other, List<Unit.Good> found) {
            found.stream()
                    .filter(good -> good.range().covers(other))
                    .findAny()
                    .ifPresentOrElse(
                            good -> known.put(other.unit(), good.part(other).body()), () -> others.add(other));
        }

        private CompletableFuture<List<Unit.Good>> readOn() {
            int missing = data.size() - known.size();
            if (missing <= 0) {
                return CompletableFuture.completedFuture(made());
            }
            if (missing > others.size()) {
                known.values().forEach(ByteBuf::release);
                return CompletableFuture.failedFuture(new StorageException.DataLost(
                        path, stripe, lost.stream().map(Unit.Lost::cause).toList()));
            }
            List<UnitRange> next =
                    IntStream.range(0, missing).mapToObj(i -> others.remove()).toList();
            return units.read(stripe, next).thenCompose(read -> {
                lost.addAll(Unit.lost(read));
                Unit.good(read).forEach(good -> known.put(good.range().unit(), good.body()));
                return readOn();
            });
        }

        private List<Unit.Good> made() {
            List<Integer> unknown = IntStream.concat(
                            wanted.stream().mapToInt(UnitRange::unit),
                            data.stream().mapToInt(unit -> unit).filter(unit -> !known.containsKey(unit)))
                    .distinct()
                    .boxed()
                    .toList();
            List<ByteBuf> bodies = StripeCode.restore(geometry.dataUnits(), known, unknown, end - from, allocator);
            known.values().forEach(ByteBuf::release);
            bodies.subList(wanted.size(), bodies.size()).forEach(ByteBuf::release);
            return IntStream.range(0, wanted.size())
                    .mapToObj(i -> part(wanted.get(i), bodies.get(i)))
                    .toList();
        }

        /** Takes over {@code body}. */
        private Unit.Good part(UnitRange range, ByteBuf body) {
            return new Unit.Good(range, body.slice(range.from() - from, range.length()));
        }
    }
}
