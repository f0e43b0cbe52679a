// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper.server;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The role that serves the directory. It is a member like any other, in the directory that it serves itself: so it is
 * ready when its own server has answered it.
 */
final class ZooKeeperRole implements RoleDefinition {
    private static final Key<Integer> PORT =
            Key.integer("port", 2181, 0, 65_535, "Port for ZooKeeper clients; 0 takes any free one.");
    private static final int ADMIN_PORT = 3181;

    private @Nullable NodeAddress address;

    @Override
    public Role role() {
        return Role.ZOOKEEPER;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(Role.ZOOKEEPER, ADMIN_PORT, PORT);
    }

    /** Chosen once: the cluster connects to this address before the server listens on it. */
    @Override
    public List<NodeAddress> zookeeper(Configuration configuration) {
        if (address == null) {
            address = listenAddress(configuration);
        }
        return List.of(address);
    }

    private static NodeAddress listenAddress(Configuration configuration) {
        try {
            return EmbeddedZooKeeper.free(new NodeAddress(configuration.get(CommonKeys.BIND), configuration.get(PORT)));
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public RoleService create(RoleContext context) {
        return new Service(context, zookeeper(context.configuration()).getFirst());
    }

    private static final class Service implements RoleService {
        private final RoleContext context;
        private final NodeAddress address;
        private @Nullable EmbeddedZooKeeper server;

        Service(RoleContext context, NodeAddress address) {
            this.context = context;
            this.address = address;
        }

        @Override
        public Member start() throws IOException {
            server = EmbeddedZooKeeper.start(context.data(), address);
            return context.member(Map.of("zookeeper", address), Map.of());
        }

        /** Clients move on when the connection closes; ZooKeeper itself has nothing in flight that is not on disk. */
        @Override
        public void drain(Duration bound) {}

        @Override
        public void close() {
            if (server != null) {
                server.close();
            }
        }
    }
}
