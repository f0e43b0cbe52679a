// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a demo shall do.
 *
 * @param base directory in which it makes one of its own
 * @param docs to serve; empty for a generated tree
 * @param requestsPerSecond of the load
 * @param heatSize points of a side of the job's plate
 * @param heatSteps of the job
 * @param checkpointInterval of the job
 * @param sabotage what to break
 */
record DemoSettings(
        Path base,
        Optional<Path> docs,
        double requestsPerSecond,
        int heatSize,
        int heatSteps,
        Duration checkpointInterval,
        Set<Sabotage> sabotage) {
    DemoSettings {
        base = base.toAbsolutePath().normalize();
        sabotage = sabotage.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(sabotage));
    }

    boolean sabotages(Sabotage what) {
        return sabotage.contains(what);
    }
}
