// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Key;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A role of the tests, run as a process of its own: one HTTP port that greets, a drain that can be made to last, and an admission. */
public class SampleRole implements RoleDefinition {

    private static final Key<Integer> PORT = Key.integer("port", 0, 0, 65_535, "Port of the greeting.");
    private static final Key<Boolean> NEVER_DRAINED = Key.flag("never-drained", "Hold a request that never ends.");
    private static final Key<String> ADMISSION = Key.choice(
            "admission", "at-once", List.of("at-once", "refused", "never"), "What the cluster says to this process.");

    public static void main(String[] args) {
        RoleLauncher.main(new SampleRole(), args);
    }

    @Override
    public Role role() {
        return Role.CACHE_SERVER;
    }

    @Override
    public ConfigSchema schema() {
        return ConfigSchema.of(role(), 0, PORT, NEVER_DRAINED, ADMISSION);
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
        public CompletableFuture<Void> admission() {
            return switch (context.configuration().get(ADMISSION)) {
                case "refused" ->
                    CompletableFuture.runAsync(() -> {
                        throw new ConfigException("admission = 'refused': expected another one");
                    });
                case "never" -> new CompletableFuture<>();
                default -> RoleService.super.admission();
            };
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
