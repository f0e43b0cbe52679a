// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.savings;

import java.lang.management.ManagementFactory;

/** CPU time of the calling thread. */
final class CpuTime {
    private CpuTime() {}

    static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
