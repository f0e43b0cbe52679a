// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Another checkpoint than the newest to go on from. */
final class RestartOptions {
    @Option(
            names = "--from",
            paramLabel = "N",
            description =
                    "Continue the job from this complete checkpoint. The newer ones are left aside for good: no later"
                            + " restart goes on from them.")
    private @Nullable Long number;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            description = "The same, from the newest that was saved at or before this time, such as 2026-03-01T14:30.")
    private @Nullable String before;

    /** @throws CliException if they cannot be meant so */
    void check(@Nullable String job) {
        if (number != null && before != null) {
            throw usage("--from and --before both choose the checkpoint; give one of them");
        }
        if (isGiven() && job == null) {
            throw usage("--from and --before continue a job; say which with --name");
        }
    }

    boolean isGiven() {
        return number != null || before != null;
    }

    /** Makes the choice durable, so that every later restart keeps to it; empty if there is none to make. */
    Optional<Committed> apply(JobAccess access, JobStore store) {
        CheckpointChoice choice = new CheckpointChoice(access, store);
        Optional<Committed> chosen = Optional.empty();
        if (number != null) {
            chosen = Optional.of(choice.numbered(number));
        } else if (before != null) {
            chosen = Optional.of(choice.before(before));
        }
        chosen.ifPresent(entry -> access.insist(() -> store.goBackTo(entry.number())));
        return chosen;
    }

    private static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, message);
    }
}
