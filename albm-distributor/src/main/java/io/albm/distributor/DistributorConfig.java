// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Role;
import java.util.List;
import java.util.stream.Stream;

/** The keys of a distributor, in the order of its help. */
final class DistributorConfig {
    private static final int ADMIN_PORT = 9080;

    private DistributorConfig() {}

    static ConfigSchema schema() {
        Key<?>[] own = Stream.of(ServingKeys.ALL, ReliefKeys.ALL, BackendKeys.ALL, ProtectionKeys.ALL, ProxyKeys.ALL)
                .flatMap(List::stream)
                .toArray(Key<?>[]::new);
        return ConfigSchema.of(Role.DISTRIBUTOR, ADMIN_PORT, own);
    }
}
