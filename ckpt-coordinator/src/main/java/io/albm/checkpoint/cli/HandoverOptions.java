// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.handover.HandoverSettings;
import io.albm.checkpoint.handover.StepNames;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.net.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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

    /**
     * Refuses what cannot be meant so.
     *
     * @param onOtherHosts where an orphaned program would go on: nothing ends it when its job-host is killed
     */
    void check(boolean onOtherHosts) {
        if (handover && onOtherHosts) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--handover is for ranks that are children of this command; leave --hosts out, or use the"
                            + " participant library");
        }
        if (!handover && (names != null || inPlace || checkpointCommand != null || restartCommand != null)) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--handover-names, --handover-in-place, --checkpoint-cmd and --restart-cmd are for a program that"
                            + " hands its states over; add --handover");
        }
        var _ = settings();
    }

    private HandoverSettings settings() {
        try {
            return new HandoverSettings(
                    names == null ? StepNames.STEP : new StepNames(names), inPlace, checkpointCommand, restartCommand);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--handover-names: " + e.getMessage(), e);
        }
    }

    /** Null if the program does not hand over. */
    @Nullable
    Handover open(JobSpec spec, Path directory, Transport transport) throws IOException {
        return handover
                ? new Handover(settings(), directory, Duration.ofMillis(spec.barrierMillis()), transport)
                : null;
    }
}
