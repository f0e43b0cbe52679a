// SPDX-License-Identifier: Apache-2.0
package io.albm.console;

import io.albm.console.terminal.StatusApi;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The role that shows a cluster over HTTP: {@code /api/status} answers what {@code albm status --json} prints. */
final class ConsoleRole implements RoleDefinition {
    private static final Key<Integer> PORT =
            Key.integer("port", 8090, 0, 65_535, "HTTP port; 0 takes any free one.");
    private static final int ADMIN_PORT = 9090;

    @Override
    public Role role() {
        return Role.CONSOLE;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(Role.CONSOLE, ADMIN_PORT, PORT);
    }

    @Override
    public RoleService create(RoleContext context) {
        return new Service(context);
    }

    private static final class Service implements RoleService {
        private final RoleContext context;
        private @Nullable WebServer server;

        Service(RoleContext context) {
            this.context = context;
        }

        @Override
        public Member start() throws IOException {
            WebServer web = new WebServer(
                    context.transport(), context.bind(context.configuration().get(PORT)), Map.of());
            server = web;
            web.route("/api/status", new StatusApi(context.cluster(), context.configuration()));
            return context.member(Map.of("http", web.address()), Map.of());
        }

        /** Its answers are short, and nobody depends on them. */
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
