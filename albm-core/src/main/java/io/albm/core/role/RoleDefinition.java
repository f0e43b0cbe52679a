// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.cli.CommandGroup;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.util.List;

/** What a module says about its role; {@link RoleLauncher} does the rest. */
public interface RoleDefinition {

    Role role();

    /** The role's keys, together with those that every role has. */
    ConfigSchema schema();

    /**
     * Makes the service from its parts; opens no socket yet.
     *
     * @throws io.albm.core.config.ConfigException if values do not fit together
     */
    RoleService create(RoleContext context) throws Exception;

    /** Where the directory is. The role that serves the directory answers with its own address. */
    default List<NodeAddress> zookeeper(Configuration configuration) {
        return configuration.get(CommonKeys.ZOOKEEPER);
    }

    /** Adds further commands of the role's fat JAR. */
    default void addCommands(CommandGroup root) {}

    /**
     * Command lines of those further commands that users give often, for {@link Rehearsal}: they are given to a cluster that has the
     * role alone.
     */
    default List<List<String>> rehearsedCommands() {
        return List.of();
    }
}
