// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ConfigSchema;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;

/** The distributor as a role of the cluster. */
public final class DistributorRole implements RoleDefinition {
    @Override
    public Role role() {
        return Role.DISTRIBUTOR;
    }

    @Override
    public ConfigSchema schema() {
        return DistributorConfig.schema();
    }

    @Override
    public RoleService create(RoleContext context) {
        return new Distributor(context);
    }
}
