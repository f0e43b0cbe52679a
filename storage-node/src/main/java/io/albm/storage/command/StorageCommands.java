// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CommandGroup;
import picocli.CommandLine.Model.CommandSpec;

/** The commands of {@code albm storage}, and {@code albm mount}. */
public final class StorageCommands {
    private StorageCommands() {}

    /**
     * The group with all its commands.
     *
     * @param diskCheck how the disk of a storage node is checked that does not run
     */
    public static CommandGroup all(DiskCheck diskCheck) {
        return CommandGroup.of("storage", "Files striped over the disks of all storage nodes.")
                .with("put", PutCommand::new)
                .with("get", GetCommand::new)
                .with("cat", CatCommand::new)
                .with("ls", ListCommand::new)
                .with("stat", StatCommand::new)
                .with("rm", RemoveCommand::new)
                .with("mv", MoveCommand::new)
                .with("mkdir", MakeDirectoryCommand::new)
                .with("rmdir", RemoveDirectoryCommand::new)
                .with("df", SpaceCommand::new)
                .with("nodes", NodesCommand::new)
                .with("add-node", AddNodeCommand::new)
                .with("retire", RetireCommand::new)
                .with("replace", ReplaceCommand::new)
                .with("scrub", ScrubCommand::new)
                .with("rebuild", RebuildCommand::new)
                .with("move-table", MoveTableCommand::new)
                .with("fsck", () -> new FsckCommand(diskCheck));
    }

    /** The command {@code albm mount}. */
    public static CommandSpec mount() {
        return CommandSpec.forAnnotatedObject(new MountCommand());
    }
}
