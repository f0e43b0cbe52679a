// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcFile;
import java.io.IOException;

/**
 * Page faults a second that had to wait for the disk: {@code pgmajfault}. The paper counts disk reads that resolve hard
 * faults, whatever their size; {@code pgpgin} would count every kilobyte read by anyone, read-ahead and plain file
 * reads included.
 */
final class PageReads implements CounterSource {
    private static final byte[] PGMAJFAULT = label("pgmajfault ");

    private final ProcFile vmstat;
    private final Rate rate = new Rate();

    private PageReads(ProcFile vmstat) {
        this.vmstat = vmstat;
    }

    static PageReads open(HostFiles files) throws IOException {
        return new PageReads(ProcFile.open(files.proc().resolve("vmstat")));
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        return rate.update(nowNanos, vmstat.require(vmstat.read().numberAfter(PGMAJFAULT), "pgmajfault"));
    }

    @Override
    public void close() throws IOException {
        vmstat.close();
    }
}
