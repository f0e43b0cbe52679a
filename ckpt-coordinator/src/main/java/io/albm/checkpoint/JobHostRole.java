// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.checkpoint.host.JobHostService;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import io.albm.storage.FailureDomain;
import java.util.Optional;

/** The job-host among ALBM's roles. */
final class JobHostRole implements RoleDefinition {
    static final Key<Integer> PORT = Key.integer(
            "port", 8500, 0, 65_535, "Port where jobs' supervisors command this host; 0 takes any free one.");

    static final Key<Optional<FailureDomain>> FAILURE_DOMAIN = FailureDomain.key(
            "What the host fails with, such as its rack: 'albm job run --partner' copies its states to a host of another"
                    + " one, as far as there is one. Empty: the host is one by itself.");

    private static final int ADMIN_PORT = 9500;

    @Override
    public Role role() {
        return Role.JOB_HOST;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(Role.JOB_HOST, ADMIN_PORT, PORT, FAILURE_DOMAIN);
    }

    @Override
    public RoleService create(RoleContext context) {
        return new JobHostService(
                context,
                context.configuration().get(PORT),
                context.configuration().get(FAILURE_DOMAIN).orElseGet(() -> FailureDomain.of(context.id())));
    }
}
