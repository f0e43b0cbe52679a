// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.Commands;
import io.albm.core.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code albm job} and {@code albm ckpt} in this process, their output caught. */
final class CommandShell implements AutoCloseable {
    private final String zooKeeper;
    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();
    private String awaited = "nothing";
    private Runnable whenPrinted = () -> {};

    CommandShell(String zooKeeper) {
        this.zooKeeper = zooKeeper;
        System.setOut(new PrintStream(out, true, UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.startsWith(awaited)) {
                    whenPrinted.run();
                }
            }
        });
    }

    /** Does something between a line that begins so and what the command does next. */
    void whenPrinted(String beginning, Runnable then) {
        awaited = beginning;
        whenPrinted = then;
    }

    /** Runs {@code albm} with these arguments; returns the exit code. */
    int run(String... arguments) {
        out.reset();
        err.getBuffer().setLength(0);
        CommandSpec root = Commands.group("albm", "Commands under test.");
        root.addSubcommand("job", JobCommands.group().spec());
        root.addSubcommand("ckpt", CheckpointCommands.group().spec());
        CommandLine line = Commands.commandLine(root);
        line.setErr(new PrintWriter(err, true));
        line.setOut(new PrintWriter(out, true, UTF_8));
        return line.execute(arguments);
    }

    /** The same, on the cluster of the test. */
    int onCluster(String... arguments) {
        return run(Stream.concat(
                        Stream.of(arguments), Stream.of("--zookeeper", zooKeeper, "--cluster", StoredJobs.CLUSTER))
                .toArray(String[]::new));
    }

    String text() {
        return out.toString(UTF_8);
    }

    JsonNode json() {
        return Json.tree(text());
    }

    String errors() {
        return err.toString();
    }

    @Override
    public void close() {
        System.setOut(stdout);
    }
}
