// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.handover.HandoverSettings;
import io.albm.checkpoint.handover.StepNames;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Programs that do not speak to the supervisor themselves. */
final class HandoverOptions {
    @Option(
            names = "--handover",
            description =
                    "CMD hands its states over as files: it writes each to ALBM_HANDOVER/STEP.tmp, a file or a directory,"
                            + " and renames it to STEP. ALBM_RESTORED is the one to go on from, if it is set.")
    private boolean handover;

    @Option(
            names = "--handover-names",
            paramLabel = "PATTERN",
            description = "Names of whole states in ALBM_HANDOVER, with one * for the step. Default: *")
    private @Nullable String names;

    @Option(
            names = "--handover-in-place",
            description =
                    "CMD writes files under these names instead of renaming to them; one is taken when it is seen to"
                            + " be closed, or when the next appears.")
    private boolean inPlace;

    @Option(
            names = "--checkpoint-cmd",
            paramLabel = "SHELL",
            description =
                    "Run at each checkpoint, for a CMD that hands over only when it is made to; ALBM_CHECKPOINT is"
                            + " the checkpoint's number, ALBM_PID the rank's process.")
    private @Nullable String checkpointCommand;

    @Option(
            names = "--restart-cmd",
            paramLabel = "SHELL",
            description = "Started instead of CMD if there is a state to go on from.")
    private @Nullable String restartCommand;

    /** Refuses what cannot be meant so. */
    void check() {
        if (!handover && (names != null || inPlace || checkpointCommand != null || restartCommand != null)) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--handover-names, --handover-in-place, --checkpoint-cmd and --restart-cmd are for a program that"
                            + " hands its states over; add --handover");
        }
        var _ = stepNames();
    }

    private StepNames stepNames() {
        try {
            return names == null ? StepNames.STEP : new StepNames(names);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--handover-names: " + e.getMessage(), e);
        }
    }

    /** Null if the program does not hand over. */
    @Nullable
    HandoverSettings settings(JobSpec spec) {
        return handover
                ? new HandoverSettings(stepNames(), inPlace, checkpointCommand, restartCommand, spec.barrierMillis())
                : null;
    }
}
