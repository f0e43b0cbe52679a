// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.proc.ProcText;
import io.albm.core.proc.Rate;
import io.albm.core.proc.StallText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how much of the last time some task of this machine waited for a processor, as the kernel's pressure stall information
 * tells; 0 where it tells nothing. Thread-safe.
 */
final class ProcessorStall {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorStall.class);
    private static final Path KERNELS = Path.of("/proc/pressure/cpu");
    private static final double MICROS_PER_SECOND = 1e6;

    /** Time from one look to the next. */
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Path file;
    private final Rate rate = new Rate();
    private boolean tells;
    private long nextSample;
    private double share;

    private ProcessorStall(Path file, boolean tells, long now) {
        this.file = file;
        this.tells = tells;
        this.nextSample = now;
    }

    /** Of this machine. */
    static ProcessorStall ofThisMachine(long now) {
        return of(KERNELS, now);
    }

    /** As a file tells that need not be there. */
    static ProcessorStall of(Path file, long now) {
        return new ProcessorStall(file, Files.isReadable(file), now);
    }

    /** A share, from 0 to 1; blocks no longer than the kernel takes to tell. */
    synchronized double share(long now) {
        if (tells && nextSample - now <= 0) {
            nextSample = now + SAMPLE_NANOS;
            sample(now);
        }
        return share;
    }

    private void sample(long now) {
        try {
            long micros = StallText.someMicros(ProcText.of(Files.readString(file)));
            if (micros == ProcText.ABSENT) {
                throw new IOException("it has no total of some");
            }
            share = Math.min(1, rate.update(now, micros) / MICROS_PER_SECOND);
        } catch (IOException e) {
            LOG.warn(
                    "{} does not tell how short processors are, so background work does not heed it: {}",
                    file,
                    e.toString());
            tells = false;
            share = 0;
        }
    }
}
