// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code albm demo}. */
@Command(
        name = "demo",
        description = {
            "Prove on this machine, with real work and real faults, that it all works.",
            "",
            "Starts a cluster on free ports, serves documents through the distributor under an open-loop load, runs a"
                    + " parallel job with checkpoints, and kills with SIGKILL one cache server, one storage node (its disk"
                    + " is lost, too) and one rank of the job. Then checks that no request failed, that every body had the"
                    + " right bytes, that the job's result is that of an undisturbed run, that the storage was rebuilt and"
                    + " scrubs clean, and that nothing is left running. Exits with 0 only if all of it holds."
        })
public final class DemoCommand implements Callable<Integer> {
    @Option(names = "--docs", paramLabel = "DIR", description = "Serve these documents instead of generated ones.")
    private @Nullable Path docs;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            description = "Requests per second (default: ${DEFAULT-VALUE}).")
    private double rate = 100;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "1200",
            description = "Time steps of the job (default: ${DEFAULT-VALUE}).")
    private int steps = 1200;

    @Option(names = "--json", description = "Print the result as one JSON object.")
    private boolean json;

    @Option(names = "--keep", description = "Keep the demo's directory, with all logs. Always kept if a check fails.")
    private boolean keep;

    @Option(
            names = "--sabotage",
            paramLabel = "WHAT",
            split = ",",
            description = "Break something on purpose, to see its check fail: ${COMPLETION-CANDIDATES}.")
    private List<Sabotage> sabotage = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.quiet();
        DemoSettings settings = settings();
        Path directory = Files.createTempDirectory(Files.createDirectories(settings.base()), "demo-");
        Progress progress = new Progress(System.err, Ansi.stderr());
        Demo demo = new Demo(settings, Installation.find(), progress, directory);
        Thread stop = new Thread(() -> interrupt(demo, directory, progress), "stop-demo");
        Runtime.getRuntime().addShutdownHook(stop);
        DemoReport report;
        try {
            report = demo.run();
        } catch (CliException e) {
            if (demo.isInterrupted()) {
                return ExitCode.FAILED;
            }
            throw e;
        }
        Runtime.getRuntime().removeShutdownHook(stop);
        return conclude(report, directory);
    }

    private int conclude(DemoReport report, Path directory) throws IOException {
        spec.commandLine().getOut().print(json ? Json.pretty(report.json()) + "\n" : report.table(Ansi.stdout()));
        spec.commandLine().getOut().flush();
        if (!report.allHold()) {
            throw new CliException(
                    ExitCode.FAILED, "does not hold: " + report.broken() + "; all logs are in " + directory);
        }
        if (!keep) {
            Demo.erase(directory);
        }
        return ExitCode.DONE;
    }

    private static void interrupt(Demo demo, Path directory, Progress progress) {
        try {
            int stopped = demo.interrupt();
            if (stopped > 0) {
                progress.step("interrupted: stopped " + stopped + " processes; their logs are in " + directory);
            }
        } catch (IOException | CliException e) {
            progress.step("interrupted, and not all could be stopped: " + e.getMessage());
        }
    }

    private DemoSettings settings() {
        if (!(rate > 0 && rate <= 2000)) {
            throw new CliException(ExitCode.USAGE, "--rate " + rate + ": expected more than 0 and at most 2000");
        }
        if (docs != null && !Files.isDirectory(docs)) {
            throw new CliException(ExitCode.USAGE, "--docs " + docs + ": no such directory");
        }
        if (docs != null && sabotage.contains(Sabotage.BODIES)) {
            throw new CliException(
                    ExitCode.USAGE, "--sabotage bodies changes documents, and never yours: leave --docs out");
        }
        return new DemoSettings(
                Path.of(".albm"),
                Optional.ofNullable(docs),
                rate,
                256,
                steps,
                Duration.ofSeconds(3),
                Set.copyOf(sabotage));
    }
}
