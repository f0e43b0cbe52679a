// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A kernel file that is read once for all the counters that one sample takes from it. For one thread. */
final class SampledFile {
    private final ProcFile file;
    private @Nullable ProcText text;
    private long readAt;

    SampledFile(ProcFile file) {
        this.file = file;
    }

    /**
     * The content at the sample of {@code nowNanos}.
     *
     * @param nowNanos the sample's time: what was read at the same time is not read again
     */
    ProcText at(long nowNanos) throws IOException {
        ProcText read = text;
        if (read == null || readAt != nowNanos) {
            text = null;
            read = file.read();
            text = read;
            readAt = nowNanos;
        }
        return read;
    }

    /** The content now, whatever was read before; for a look before the first sample. */
    ProcText now() throws IOException {
        text = null;
        return file.read();
    }

    /** {@code number} if it is there; otherwise says which file lacks what. */
    long require(long number, String what) throws IOException {
        return file.require(number, what);
    }
}
