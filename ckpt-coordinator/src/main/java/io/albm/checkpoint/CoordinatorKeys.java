// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.checkpoint.strategy.PaceSettings;
import io.albm.checkpoint.strategy.Politeness;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
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
            "Bytes per second that a storage node's port, and the way to it, carries in one direction.");
    public static final Key<Long> NODE_LINK = Key.size(
            "node-link",
            0,
            0,
            1L << 40,
            "Bytes per second that the link of a node with ranks carries; 0 for as many as link-speed.");
    public static final Key<Double> RATE_SHARE = Key.decimal(
            "rate-share",
            0.92,
            0.01,
            1,
            "Share of a storage node's port that checkpoints with credit-window may have, without the 5 % of headers.");
    public static final Key<String> POLITENESS = Key.choice(
            "politeness",
            Politeness.POLITE.text(),
            Politeness.names(),
            "Whether checkpoints with credit-window yield to other traffic before it notices (polite), or to losses only"
                    + " (fast).");

    private static final int ADMIN_PORT = 9300;

    private CoordinatorKeys() {}

    /** What the network can carry, and how much of it checkpoints may have. */
    static PaceSettings pace(Configuration configuration) {
        long port = configuration.get(LINK_SPEED);
        long link = configuration.get(NODE_LINK);
        return new PaceSettings(
                port,
                link == 0 ? port : link,
                configuration.get(RATE_SHARE),
                Politeness.of(configuration.get(POLITENESS)));
    }

    static ConfigSchema schema() {
        return ConfigSchema.of(
                Role.COORDINATOR, ADMIN_PORT, PORT, INTERFACE, LINK_SPEED, NODE_LINK, RATE_SHARE, POLITENESS);
    }
}
