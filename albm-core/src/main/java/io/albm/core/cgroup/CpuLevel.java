// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static io.albm.core.proc.ProcText.ABSENT;
import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The CPU limit of one control group by itself, and the CPU time that counts against it. A quota of 50 ms in each period
 * of 100 ms is a limit of half a processor. A read allocates nothing. Not thread-safe.
 */
public final class CpuLevel implements Closeable {
    /** The limit of a group that has none. */
    public static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** v2: {@code quota period} or {@code max period}. */
    private static final String MAX = "cpu.max";

    /** v1: -1 without a limit. */
    private static final String QUOTA = "cpu.cfs_quota_us";

    private static final String PERIOD = "cpu.cfs_period_us";
    private static final String USAGE = "cpuacct.usage";
    private static final byte[] USAGE_USEC = label("usage_usec ");
    private static final long NANOS_PER_MICRO = 1000;

    private final ProcFile quota;
    private final @Nullable ProcFile period;
    private final ProcFile usage;

    private CpuLevel(ProcFile quota, @Nullable ProcFile period, ProcFile usage) {
        this.quota = quota;
        this.period = period;
        this.usage = usage;
    }

    /**
     * Whether a limit can be set on a group, and what counts against it is known; the root has none.
     *
     * @param quota its directory in the hierarchy of the CPU controller
     * @param accounting its directory in that of CPU accounting; in v2 the same
     */
    static boolean isAt(Path quota, Path accounting) {
        return Files.exists(quota.resolve(MAX))
                || (Files.exists(quota.resolve(QUOTA)) && Files.exists(accounting.resolve(USAGE)));
    }

    /**
     * Opens one group.
     *
     * @param quota its directory in the hierarchy of the CPU controller
     * @param accounting its directory in that of CPU accounting; in v2 the same
     */
    static CpuLevel open(Path quota, Path accounting) throws IOException {
        return Files.exists(quota.resolve(MAX))
                ? new CpuLevel(ProcFile.open(quota.resolve(MAX)), null, ProcFile.open(accounting.resolve("cpu.stat")))
                : new CpuLevel(
                        ProcFile.open(quota.resolve(QUOTA)),
                        ProcFile.open(quota.resolve(PERIOD)),
                        ProcFile.open(accounting.resolve(USAGE)));
    }

    /** Processors that the group may use at once, or {@link #UNLIMITED}. */
    public double limit() throws IOException {
        ProcText text = quota.read();
        long micros = text.numberAt(0);
        if (micros == ABSENT) {
            return UNLIMITED;
        }
        ProcText rest = period == null ? text : period.read();
        long each = quota.require(rest.numberAt(rest.field(0, period == null ? 1 : 0)), "period");
        return (double) micros / each;
    }

    /** CPU time that the group and those below it have used since it was made. */
    public long usageNanos() throws IOException {
        ProcText text = usage.read();
        return period == null
                ? NANOS_PER_MICRO * usage.require(text.numberAfter(USAGE_USEC), "usage_usec")
                : usage.require(text.numberAt(0), "number");
    }

    @Override
    public void close() throws IOException {
        quota.close();
        usage.close();
        if (period != null) {
            period.close();
        }
    }
}
