// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cli.CommandGroup;
import io.albm.core.config.ConfigSchema;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import io.albm.storage.command.StorageCommands;
import java.util.List;

/** What the launcher needs to know of storage nodes. */
final class StorageNodeRole implements RoleDefinition {
    @Override
    public Role role() {
        return Role.STORAGE_NODE;
    }

    @Override
    public ConfigSchema schema() {
        return StorageNodeConfig.SCHEMA;
    }

    @Override
    public RoleService create(RoleContext context) {
        return new StorageNodeService(context);
    }

    @Override
    public void addCommands(CommandGroup root) {
        root.with(StorageCommands.all(LocalDiskCheck::run)).with("mount", StorageCommands::mount);
    }

    @Override
    public List<List<String>> rehearsedCommands() {
        return List.of(
                List.of("storage", "mkdir", "/rehearsed"), List.of("storage", "ls", "/"), List.of("storage", "nodes"));
    }
}
