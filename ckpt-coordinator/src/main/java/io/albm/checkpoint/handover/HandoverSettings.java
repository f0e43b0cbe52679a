// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import org.jspecify.annotations.Nullable;

/**
 * How a job's program hands its states over.
 *
 * @param names of states in the directory {@code ALBM_HANDOVER}
 * @param inPlace the program writes under these names, instead of renaming to them what is whole
 * @param checkpointCommand for {@code sh -c}: makes the program hand a state over now; null if it does so by itself
 * @param restartCommand for {@code sh -c}: starts a rank that has a state to go on from; null if its own command does
 * @param barrierMillis how long ranks may take to meet for a checkpoint, in milliseconds
 */
public record HandoverSettings(
        StepNames names,
        boolean inPlace,
        @Nullable String checkpointCommand,
        @Nullable String restartCommand,
        long barrierMillis) {}
