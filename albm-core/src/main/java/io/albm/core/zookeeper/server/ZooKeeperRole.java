// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper.server;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.net.HeldPort;
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
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The role that serves the directory. It is a member like any other, in the directory that it serves itself: so it is
 * ready when its own server has answered it.
 */
final class ZooKeeperRole implements RoleDefinition {
    private static final Key<Integer> PORT =
            Key.integer("port", 2181, 0, 65_535, "Port for ZooKeeper clients; 0 takes any free one.");
    private static final int ADMIN_PORT = 3181;

    private @Nullable HeldPort port;

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
        return List.of(port(configuration).address());
    }

    private HeldPort port(Configuration configuration) {
        if (port == null) {
            port = hold(configuration);
        }
        return port;
    }

    private static HeldPort hold(Configuration configuration) {
        try {
            return HeldPort.at(new NodeAddress(configuration.get(CommonKeys.BIND), configuration.get(PORT)));
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public RoleService create(RoleContext context) {
        return new Service(context, port(context.configuration()));
    }

    private static final class Service implements RoleService {
        private final RoleContext context;
        private final HeldPort port;
        private final CompletableFuture<Void> failure = new CompletableFuture<>();
        private @Nullable EmbeddedZooKeeper server;

        Service(RoleContext context, HeldPort port) {
            this.context = context;
            this.port = port;
        }

        @Override
        public Member start() throws IOException {
            server = EmbeddedZooKeeper.start(context.data(), port.address(), this::ended);
            port.close();
            return context.member(Map.of("zookeeper", port.address()), Map.of());
        }

        private void ended() {
            failure.completeExceptionally(
                    new IOException("the ZooKeeper server of this process has ended, as it does when it"
                            + " cannot write to " + context.data() + "; see to the room there, and start it again"));
        }

        @Override
        public CompletableFuture<Void> failure() {
            return failure;
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
