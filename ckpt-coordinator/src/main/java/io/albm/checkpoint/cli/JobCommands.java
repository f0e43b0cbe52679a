// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.cli.CommandGroup;

/** {@code albm job …}. */
public final class JobCommands {
    private JobCommands() {}

    /** The group, for the fat JAR's main. */
    public static CommandGroup group() {
        return CommandGroup.of("job", "Run parallel jobs that survive the death of their processes.")
                .with("run", JobRunCommand::new);
    }
}
