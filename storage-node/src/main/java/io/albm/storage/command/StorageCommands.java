// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.Commands;
import picocli.CommandLine.Model.CommandSpec;

/** The commands of {@code albm storage}, and {@code albm mount}. */
public final class StorageCommands {
    private StorageCommands() {}

    /**
     * The group with all its commands.
     *
     * @param diskCheck how the disk of a storage node is checked that does not run
     */
    public static CommandSpec all(DiskCheck diskCheck) {
        CommandSpec group = Commands.group("storage", "Files striped over the disks of all storage nodes.");
        for (Object command : new Object[] {
            new PutCommand(),
            new GetCommand(),
            new CatCommand(),
            new ListCommand(),
            new StatCommand(),
            new RemoveCommand(),
            new MoveCommand(),
            new MakeDirectoryCommand(),
            new RemoveDirectoryCommand(),
            new SpaceCommand(),
            new NodesCommand(),
            new AddNodeCommand(),
            new RetireCommand(),
            new ReplaceCommand(),
            new ScrubCommand(),
            new RebuildCommand(),
            new MoveTableCommand(),
            new FsckCommand(diskCheck)
        }) {
            CommandSpec spec = CommandSpec.forAnnotatedObject(command);
            group.addSubcommand(spec.name(), spec);
        }
        return group;
    }

    /** The command {@code albm mount}. */
    public static CommandSpec mount() {
        return CommandSpec.forAnnotatedObject(new MountCommand());
    }
}
