// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.storage.Parity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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

/** How long does the parity of a 1 MiB stripe unit take, against a loop over the buffer's bytes? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ParityBenchmark {

    private static final int UNIT_BYTES = 1 << 20;

    @Param({"byte-loop", "albm"})
    public String kind = "";

    private final ByteBuf target = Unpooled.directBuffer(UNIT_BYTES);
    private final ByteBuf source = Unpooled.directBuffer(UNIT_BYTES);
    private boolean byteLoop;

    @Setup
    public void fill() {
        byte[] content = new byte[UNIT_BYTES];
        new SplittableRandom(1).nextBytes(content);
        target.writeBytes(content);
        source.writeBytes(content);
        byteLoop = kind.equals("byte-loop");
    }

    @Benchmark
    public ByteBuf xor() {
        if (byteLoop) {
            xorBytes();
        } else {
            Parity.xorInto(target, source);
        }
        return target;
    }

    private void xorBytes() {
        for (int i = 0; i < UNIT_BYTES; i++) {
            target.setByte(i, target.getByte(i) ^ source.getByte(i));
        }
    }
}
