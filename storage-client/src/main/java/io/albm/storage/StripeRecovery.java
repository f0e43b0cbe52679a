// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes lost ranges of units from the same range of the other units of their stripe, and of nothing more. Thread-safe.
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
        if (lost.size() > geometry.parityUnits()) {
            return tooMany(stripe, lost);
        }
        UnitRange range = lost.getFirst().range();
        return others(stripe, range, found).thenCompose(others -> {
            List<Unit.Lost> alsoLost = Unit.lost(others);
            List<Unit.Good> made =
                    alsoLost.isEmpty() ? List.of(new Unit.Good(range, xor(range, Unit.good(others)))) : List.of();
            Unit.release(others);
            return alsoLost.isEmpty()
                    ? CompletableFuture.completedFuture(made)
                    : tooMany(
                            stripe,
                            Stream.concat(lost.stream(), alsoLost.stream()).toList());
        });
    }

    private <T> CompletableFuture<T> tooMany(long stripe, List<Unit.Lost> lost) {
        return CompletableFuture.failedFuture(new StorageException.DataLost(
                path, stripe, lost.stream().map(Unit.Lost::cause).toList()));
    }

    /** The same range of all other units, as far as they reach: part of what was found, or read. */
    private CompletableFuture<List<Unit>> others(long stripe, UnitRange range, List<Unit.Good> found) {
        List<Unit> others = new ArrayList<>();
        List<UnitRange> wanted = new ArrayList<>();
        for (UnitRange other : othersOf(stripe, range)) {
            found.stream()
                    .filter(good -> good.range().covers(other))
                    .findAny()
                    .ifPresentOrElse(good -> others.add(good.part(other)), () -> wanted.add(other));
        }
        return units.read(stripe, wanted).thenApply(read -> {
            others.addAll(read);
            return others;
        });
    }

    private List<UnitRange> othersOf(long stripe, UnitRange range) {
        return IntStream.range(0, geometry.width())
                .filter(unit -> unit != range.unit() && units.length(stripe, unit) > range.from())
                .mapToObj(unit -> new UnitRange(
                        unit, range.from(), Math.min(range.end(), units.length(stripe, unit)) - range.from()))
                .toList();
    }

    private ByteBuf xor(UnitRange range, List<Unit.Good> sources) {
        ByteBuf target = allocator.directBuffer(range.length()).writeZero(range.length());
        sources.forEach(source -> Parity.xorInto(target, source.body()));
        return target;
    }
}
