// SPDX-License-Identifier: Apache-2.0
package io.albm.console.web;

import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;

/** Serves the management page. */
public final class ConsoleRole implements RoleDefinition {

    private static final int DEFAULT_ADMIN_PORT = 9090;

    static final Key<Integer> PORT = Key.integer("port", 8090, 0, 65_535, "Port of the page; 0 takes any free one.");

    @Override
    public Role role() {
        return Role.CONSOLE;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(role(), DEFAULT_ADMIN_PORT, PORT);
    }

    @Override
    public RoleService create(RoleContext context) {
        return new ConsoleService(context);
    }
}
