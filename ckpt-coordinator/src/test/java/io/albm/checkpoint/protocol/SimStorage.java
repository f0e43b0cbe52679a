// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimNode;
import io.albm.storage.Fence;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stable storage of a simulated world. */
interface SimStorage {
    /** How long the states of three ranks are, about, that show all that this storage does with them. */
    List<Integer> stateBytes();

    /** What a process writes and reads through. */
    CheckpointFiles clientOf(SimNode process, CoordinationStore session, @Nullable Fence fence);

    /**
     * Adds what can happen to this storage.
     *
     * @param expendable a file that may be lost beyond repair, if there is one
     */
    void addFaults(FaultPlan plan, Supplier<Optional<String>> expendable);

    /** All that is not lost can be reached again. */
    void endFaults();

    /** Grows with everything that may change what can be read. */
    long changes();

    /** Paths of all complete files. */
    Set<String> paths();

    /** What a patient reader gets of a file; the same array until it changes. */
    Optional<byte[]> content(String path);

    /** Whether the file was damaged beyond repair, with the plan's permission. */
    boolean isRotten(String path);

    /** Whether everything is as if no fault had ever happened. */
    boolean isClean();
}
