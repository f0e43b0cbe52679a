// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.sim.SimNode;
import io.albm.storage.FileTable;
import io.albm.storage.table.TableState;

/** The file table of a simulated world. */
interface SimNames {
    /** The table as a process sees it. */
    FileTable of(SimNode process, CoordinationStore session);

    /** What is durable of it; for checks, costs no message. */
    TableState state();

    /** Calls back when that has changed. */
    void onChange(Runnable listener);
}
