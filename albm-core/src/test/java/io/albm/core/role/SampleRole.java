// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A role of the tests, run as a process of its own: one HTTP port that greets, and a drain that can be made to last. */
public final class SampleRole implements RoleDefinition {

    private static final Key<Integer> PORT = Key.integer("port", 0, 0, 65_535, "Port of the greeting.");
    private static final Key<Boolean> NEVER_DRAINED = Key.flag("never-drained", "Hold a request that never ends.");

    public static void main(String[] args) {
        RoleLauncher.main(new SampleRole(), args);
    }

    @Override
    public Role role() {
        return Role.CACHE_SERVER;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(role(), 0, PORT, NEVER_DRAINED);
    }

    @Override
    public RoleService create(RoleContext context) throws Exception {
        var http = new WebServer(
                context.transport(), context.bind(context.configuration().get(PORT)), Map.of());
        http.routeInline("/", _ -> WebResponse.text(200, "hello from " + context.id()));
        return new Greeter(context, http);
    }

    private record Greeter(RoleContext context, WebServer http) implements RoleService {

        @Override
        public Member start() {
            return context.member(Map.of("http", http.address()), Map.of());
        }

        @Override
        public void drain(Duration bound) throws InterruptedException {
            if (context.configuration().get(NEVER_DRAINED)) {
                System.out.println("DRAINING");
                boolean ended = new CountDownLatch(1).await(bound.toMillis(), TimeUnit.MILLISECONDS);
                System.out.println("GIVEN UP " + !ended);
            }
        }

        @Override
        public void close() {
            http.close();
        }
    }
}
