// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.util.List;
import java.util.Map;

/**
 * How a rank's process is started on any host.
 *
 * @param line the program and its arguments
 * @param environment added to that of the process that starts it
 * @param directory to start it in; each host must have it
 */
public record RankCommand(List<String> line, Map<String, String> environment, String directory) {
    public RankCommand {
        line = List.copyOf(line);
        environment = Map.copyOf(environment);
    }

    /** Another program with the same environment, in the same directory. */
    RankCommand with(List<String> otherLine) {
        return new RankCommand(otherLine, environment, directory);
    }
}
