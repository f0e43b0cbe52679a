// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code albm experiment interference}. */
@Command(
        name = "interference",
        description = {
            "Measures how much containers slow each other down through memory (paper P4), on this machine.",
            "Ten word counters run on a node of 1 GiB, a memory control group made for the purpose. A neighbour then "
                    + "holds memory that fits beside them, memory that overflows the node, or only uses the CPU time "
                    + "of the latter. Windows without and with it take turns; what undisturbed windows vary by "
                    + "themselves is the noise band. Needs root, or a delegated cgroup v2."
        })
public final class InterferenceCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Option(names = "--quick", description = "Three short windows of each kind instead of seven long ones.")
    private boolean quick;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/experiments/interference",
            description = "Where result.json, windows.csv and chart.svg go; on a disk, because the texts that the "
                    + "counters read are there while it lasts. Default: ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private Path out;

    @Override
    public Integer call() throws IOException {
        ExperimentSettings settings = quick ? ExperimentSettings.quick() : ExperimentSettings.full();
        InterferenceReport report = InterferenceReport.of(settings, measure(settings));
        report.write(out);
        PrintWriter console = spec.commandLine().getOut();
        console.print(json ? Json.pretty(report) + "\n" : text(report.findings()));
        console.flush();
        return ExitCode.DONE;
    }

    private List<WindowPair> measure(ExperimentSettings settings) throws IOException {
        PrintWriter progress = spec.commandLine().getErr();
        try (InterferenceExperiment experiment =
                new InterferenceExperiment(settings, out.toAbsolutePath(), progress::println)) {
            Thread cleanUp = Thread.ofPlatform().unstarted(() -> close(experiment));
            Runtime.getRuntime().addShutdownHook(cleanUp);
            experiment.prepare();
            List<WindowPair> pairs = experiment.run();
            Runtime.getRuntime().removeShutdownHook(cleanUp);
            return pairs;
        } catch (NotPermittedException e) {
            throw new CliException(ExitCode.NOT_ALLOWED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private static void close(InterferenceExperiment experiment) {
        try {
            experiment.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text(Findings findings) {
        Table table = Table.of("NEIGHBOUR", "LONGER COUNT", "LOWEST", "HIGHEST", "REFAULTS/S", "CPUS", "BEYOND NOISE")
                .right(1, 2, 3, 4, 5);
        for (Findings.Row row : findings.rows()) {
            table.row(
                    row.disturbance().title(),
                    percent(row.increasePercent()),
                    percent(row.lowestPercent()),
                    percent(row.highestPercent()),
                    "%.0f".formatted(row.fileRefaultsPerSecond()),
                    "%.2f".formatted(row.stressProcessors()),
                    row.beyondNoise() ? "yes" : "no");
        }
        return "%s%nnoise band: undisturbed counts vary by up to %.1f %%%nwritten: %s/{result.json,windows.csv,chart.svg}%n"
                .formatted(table.render(Ansi.stdout()), findings.noisePercent(), out);
    }

    private static String percent(double value) {
        return "%+.1f %%".formatted(value);
    }
}
