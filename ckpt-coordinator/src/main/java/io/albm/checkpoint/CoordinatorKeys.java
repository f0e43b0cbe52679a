// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Role;

/** What can be configured of a coordinator. */
public final class CoordinatorKeys {
    public static final Key<Integer> PORT =
            Key.integer("port", 8300, 0, 65_535, "Port that says what this coordinator does; 0 takes any free one.");
    public static final Key<String> INTERFACE =
            Key.text("interface", "lo", "Network interface whose byte counters say how much bandwidth is in use.");
    public static final Key<Long> LINK_SPEED = Key.size(
            "link-speed",
            125_000_000,
            1_000,
            1L << 40,
            "Bytes per second that the way to the storage carries in one direction.");

    private static final int ADMIN_PORT = 9300;

    private CoordinatorKeys() {}

    static ConfigSchema schema() {
        return ConfigSchema.of(Role.COORDINATOR, ADMIN_PORT, PORT, INTERFACE, LINK_SPEED);
    }
}
