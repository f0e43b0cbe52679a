// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.cli.CommandGroup;
import io.albm.core.config.ConfigSchema;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;

/** What the launcher needs to know of placement engines. */
final class PlacementRole implements RoleDefinition {
    private static final int ADMIN_PORT = 9600;

    @Override
    public Role role() {
        return Role.PLACEMENT;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(Role.PLACEMENT, ADMIN_PORT);
    }

    @Override
    public RoleService create(RoleContext context) {
        return new PlacementService(context);
    }

    @Override
    public void addCommands(CommandGroup root) {
        root.with("placement", PlacementCommand::new);
    }
}
