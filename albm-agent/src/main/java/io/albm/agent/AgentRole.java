// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import java.io.IOException;

/** What the launcher needs to know of agents. */
final class AgentRole implements RoleDefinition {
    @Override
    public Role role() {
        return Role.AGENT;
    }

    @Override
    public ConfigSchema schema() {
        return AgentConfig.SCHEMA;
    }

    @Override
    public RoleService create(RoleContext context) throws IOException {
        Configuration configuration = context.configuration();
        NodeId host = AgentConfig.host(configuration, context.id());
        DeadBand deadBand = AgentConfig.deadBand(configuration);
        HostFiles files = AgentConfig.files(configuration);
        return new AgentService(context, host, Capacity.of(files), HostSampler.open(files), deadBand);
    }
}
