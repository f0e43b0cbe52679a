// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.handover.HandoverSettings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a rank's process is started on any host.
 *
 * @param line the program and its arguments
 * @param environment added to that of the process that starts it
 * @param directory to start it in; each host must have it
 * @param handover how it hands its states over; null if it speaks to the supervisor itself, or is not checkpointed
 */
public record RankCommand(
        List<String> line,
        Map<String, String> environment,
        String directory,
        @Nullable HandoverSettings handover) {
    public RankCommand {
        line = List.copyOf(line);
        environment = Map.copyOf(environment);
    }

    /** Another program with the same environment, in the same directory. */
    RankCommand with(List<String> otherLine) {
        return new RankCommand(otherLine, environment, directory, handover);
    }
}
