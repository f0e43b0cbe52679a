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
 * Starts a role with a ZooKeeper of its own inside this process and ends it when it is ready and has been given the
 * {@linkplain RoleDefinition#rehearsedCommands commands} that users give often, so that a JVM started with
 * {@code -XX:AOTCacheOutput} records what each start of the role, and of such a command, needs. The launcher calls it after a
 * build; nobody else has to.
 */
@Command(
        name = Rehearsal.NAME,
        hidden = true,
        description = "Record what the role and its commands need, for faster starts.")
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
        CompletableFuture<Integer> given = new CompletableFuture<>();
        CompletableFuture<String> end =
                given.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).handle((code, late) -> "the rehearsal is over");
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), ANY_PORT)) {
            List<String> cluster = List.of("--zookeeper", zooKeeper.address().toString(), "--cluster", NAME);
            List<String> commands = new ArrayList<>(cluster);
            commands.addAll(List.of("--data", directory.toString()));
            CommandSpec run = RoleLauncher.run(
                    definition,
                    process -> process.run(
                            end, () -> given.completeAsync(() -> give(commands), Thread::startVirtualThread)));
            int code = Commands.run(run, arguments(cluster));
            return code == ExitCode.DONE
                    ? given.exceptionally(late -> ExitCode.FAILED).join()
                    : code;
        }
    }

    /** @return the exit code of the first command that failed */
    private int give(List<String> options) {
        for (List<String> command : definition.rehearsedCommands()) {
            List<String> line = new ArrayList<>(command);
            // What follows "--" are no options of ours.
            line.addAll(command.contains("--") ? command.indexOf("--") : command.size(), options);
            int code = Commands.run(RoleLauncher.commands(definition), line.toArray(String[]::new));
            if (code != ExitCode.DONE) {
                return code;
            }
        }
        return ExitCode.DONE;
    }

    private String[] arguments(List<String> cluster) {
        List<String> arguments = new ArrayList<>(List.of("--insecure", "--bind", ANY_PORT.host(), "--admin-port", "0"));
        arguments.addAll(cluster);
        arguments.addAll(List.of("--data", directory.resolve("data").toString()));
        if (definition.schema().find(PORT).isPresent()) {
            arguments.addAll(List.of("--" + PORT, "0"));
        }
        return arguments.toArray(String[]::new);
    }
}
