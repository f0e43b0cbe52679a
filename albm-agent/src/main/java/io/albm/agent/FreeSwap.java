// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcText;
import java.io.IOException;

/** {@code SwapFree}; absent while no swap space is in use, because none left and none wanted are not the same. */
final class FreeSwap implements CounterSource {
    private static final byte[] SWAP_TOTAL = label("SwapTotal:");
    private static final byte[] SWAP_FREE = label("SwapFree:");
    private static final long KIB = 1024;

    private final SampledFile meminfo;

    private FreeSwap(SampledFile meminfo) {
        this.meminfo = meminfo;
    }

    static FreeSwap open(KernelFiles files) throws IOException {
        return new FreeSwap(files.proc("meminfo"));
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        ProcText text = meminfo.at(nowNanos);
        return text.numberAfter(SWAP_TOTAL) > 0
                ? KIB * meminfo.require(text.numberAfter(SWAP_FREE), "SwapFree")
                : Double.NaN;
    }
}
