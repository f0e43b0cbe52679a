// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.FaultPlan;
import io.albm.storage.StripedFiles;
import java.util.concurrent.CompletableFuture;

/**
 * The file table of a {@link SimFileWorld}, when its clients may rely on what it answers, and what happens to those who serve
 * it.
 */
interface WorldTable extends SimNames {
    /** The store as clients use it that is given as nodes use it. */
    default StripedFiles forClients(StripedFiles files) {
        return files;
    }

    /** Completes when a client may rely on all that it was answered. */
    default CompletableFuture<Void> rely(StripedFiles files) {
        return CompletableFuture.completedFuture(null);
    }

    /** Whether an answer shows nothing that may be undone, so that whoever has seen something can count on it. */
    default boolean isLasting() {
        return true;
    }

    /** Adds what happens to the nodes, as far as the promise goes that clients rely on. */
    default void addFaults(FaultPlan plan, SimIoFaults faults) {
        faults.addAbsences(plan);
        faults.addDamage(plan);
    }

    /** Repairs what is wrong. */
    default void endFaults() {}

    /** Whether it serves. */
    default boolean isServed() {
        return true;
    }
}
