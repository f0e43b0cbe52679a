// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeAddress;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/**
 * Starts a role with a ZooKeeper of its own inside this process and ends it when it is ready, so that a JVM started with
 * {@code -XX:AOTCacheOutput} records what each start of the role needs. The launcher calls it after a build; nobody else has to.
 */
@Command(name = Rehearsal.NAME, hidden = true, description = "Record what the role needs, for faster starts.")
final class Rehearsal implements Callable<Integer> {
    static final String NAME = "rehearse";

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final long BOUND_SECONDS = 60;
    private static final String PORT = "port";

    private final RoleDefinition definition;

    @Parameters(paramLabel = "DIR", description = "For the role's data and ZooKeeper's.")
    private Path directory = Path.of(".albm", "cache", NAME);

    Rehearsal(RoleDefinition definition) {
        this.definition = definition;
    }

    @Override
    public Integer call() throws IOException {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        CompletableFuture<String> end =
                ready.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).handle((nothing, late) -> "the rehearsal is over");
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), ANY_PORT)) {
            CommandSpec run = RoleLauncher.run(definition, process -> process.run(end, () -> ready.complete(null)));
            int code = Commands.run(run, arguments(zooKeeper.address()));
            return ready.isDone() && !ready.isCompletedExceptionally() ? code : ExitCode.FAILED;
        }
    }

    private String[] arguments(NodeAddress zooKeeper) {
        List<String> arguments = new ArrayList<>(List.of("--insecure", "--bind", ANY_PORT.host(), "--admin-port", "0"));
        arguments.addAll(List.of("--zookeeper", zooKeeper.toString(), "--cluster", NAME));
        arguments.addAll(List.of("--data", directory.resolve("data").toString()));
        if (definition.schema().find(PORT).isPresent()) {
            arguments.addAll(List.of("--" + PORT, "0"));
        }
        return arguments.toArray(String[]::new);
    }
}
