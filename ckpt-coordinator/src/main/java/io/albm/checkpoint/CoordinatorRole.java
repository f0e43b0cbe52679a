// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.checkpoint.cli.CheckpointCommands;
import io.albm.checkpoint.cli.JobCommands;
import io.albm.checkpoint.coordinator.CoordinatorService;
import io.albm.checkpoint.coordinator.InterfaceBytes;
import io.albm.checkpoint.strategy.BandwidthMeter;
import io.albm.core.cli.CommandGroup;
import io.albm.core.config.ConfigSchema;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import java.util.List;

/** The coordinator among ALBM's roles. */
final class CoordinatorRole implements RoleDefinition {
    @Override
    public Role role() {
        return Role.COORDINATOR;
    }

    @Override
    public ConfigSchema schema() {
        return CoordinatorKeys.schema();
    }

    @Override
    public RoleService create(RoleContext context) {
        BandwidthMeter meter = new BandwidthMeter(
                InterfaceBytes.of(context.configuration().get(CoordinatorKeys.INTERFACE)),
                context.configuration().get(CoordinatorKeys.LINK_SPEED),
                context.clock().nanoTime());
        return new CoordinatorService(
                context,
                meter,
                CoordinatorKeys.pace(context.configuration()),
                context.configuration().get(CoordinatorKeys.PORT));
    }

    @Override
    public void addCommands(CommandGroup root) {
        root.with(JobCommands.group()).with(CheckpointCommands.group());
    }

    @Override
    public List<List<String>> rehearsedCommands() {
        return List.of(
                List.of("job", "run", "--name", "rehearsal", "--ranks", "1", "--", "true"), List.of("ckpt", "ls"));
    }
}
