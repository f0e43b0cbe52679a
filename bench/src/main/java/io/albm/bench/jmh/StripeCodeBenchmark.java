// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.storage.StripeCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How long do the parity units of a stripe of four data units of 1 MiB take, one and two of them, and two lost data units?
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StripeCodeBenchmark {
    private static final int UNIT_BYTES = 1 << 20;
    private static final int DATA_UNITS = 4;

    /** Units that are made from all others. */
    @Param({"4", "4,5", "1,2"})
    public String lost = "";

    private final Map<Integer, ByteBuf> known = new HashMap<>();
    private List<Integer> made = List.of();

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        for (int unit = 0; unit < DATA_UNITS; unit++) {
            byte[] content = new byte[UNIT_BYTES];
            random.nextBytes(content);
            known.put(unit, Unpooled.directBuffer(UNIT_BYTES).writeBytes(content));
        }
        List<ByteBuf> parity = restore(List.of(DATA_UNITS, DATA_UNITS + 1));
        known.put(DATA_UNITS, parity.getFirst());
        known.put(DATA_UNITS + 1, parity.getLast());
        made = List.of(lost.split(",")).stream().map(Integer::valueOf).toList();
        made.forEach(known::remove);
    }

    private List<ByteBuf> restore(List<Integer> units) {
        return StripeCode.restore(DATA_UNITS, known, units, UNIT_BYTES, PooledByteBufAllocator.DEFAULT);
    }

    @Benchmark
    public int restore() {
        List<ByteBuf> units = restore(made);
        units.forEach(ByteBuf::release);
        return units.size();
    }
}
