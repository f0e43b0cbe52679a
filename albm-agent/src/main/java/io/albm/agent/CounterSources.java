// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.node.Counter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where each counter of the registry comes from on Linux. A counter that is new in {@link Counter} does not compile here
 * until it has its case; from then on it is sampled, dead-banded, published, and exported as a metric.
 */
final class CounterSources {
    private final KernelFiles files;
    private @Nullable Disks disks;

    CounterSources(KernelFiles files) {
        this.files = files;
    }

    /**
     * Opens the source of one counter.
     *
     * @throws IOException if this host lacks a file that every Linux has, with the file's name
     */
    CounterSource open(Counter counter) throws IOException {
        return switch (counter) {
            case AVAILABLE_MEMORY -> AvailableMemory.open(files);
            case PAGE_READS -> EventRate.open(files, "pgmajfault");
            case RUN_QUEUE_LENGTH -> RunQueue.open(files);
            case CPU_BUSY -> CpuBusy.open(files);
            case NETWORK -> NetworkBytes.open(files);
            case ESTABLISHED_CONNECTIONS -> EstablishedConnections.open(files);
            case CPU_PRESSURE -> Pressure.open(files, "cpu");
            case MEMORY_PRESSURE -> Pressure.open(files, "memory");
            case IO_PRESSURE -> Pressure.open(files, "io");
            case FREE_SWAP -> FreeSwap.open(files);
            case SWAP_INS -> EventRate.openIfCounted(files, "pswpin");
            case SWAP_OUTS -> EventRate.openIfCounted(files, "pswpout");
            case DISK_BUSY -> disks().busy();
            case DISK -> disks().bytes();
        };
    }

    /** One for both counters. */
    private Disks disks() throws IOException {
        Disks opened = disks;
        if (opened == null) {
            opened = Disks.open(files);
            disks = opened;
        }
        return opened;
    }
}
