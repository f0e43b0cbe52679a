// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.cli.CommandGroup;

/** {@code albm ckpt …}. */
public final class CheckpointCommands {
    private CheckpointCommands() {}

    /** The group, for the fat JAR's main. */
    public static CommandGroup group() {
        return CommandGroup.of(
                        "ckpt",
                        "Look at the checkpoints of jobs, ask for one, halt a job, check, fetch, keep and remove them.")
                .with("ls", ListCommand::new)
                .with("show", ShowCommand::new)
                .with("explain", ExplainCommand::new)
                .with("trigger", TriggerCommand::new)
                .with("halt", HaltCommand::new)
                .with("verify", VerifyCommand::new)
                .with("restore", RestoreCommand::new)
                .with("pin", PinCommand::new)
                .with("unpin", UnpinCommand::new)
                .with("rm", RemoveCommand::new);
    }
}
