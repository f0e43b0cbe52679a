// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code albm calibrate}. */
@Command(
        name = "calibrate",
        description = {
            "Find the thresholds of a real server: paper P1's stress experiments in steps, the knee of each, and the levels"
                    + " of the counters that tell it.",
            "It loads the server until it turns. Do it where nobody waits for an answer, and from another machine than the"
                    + " server's, or the clients are measured with it. The host's agent must run."
        },
        footer = {
            "  albm calibrate --backend http://10.0.0.1:8101 --fine /empty.html --coarse /film.bin",
            "  albm calibrate --backend http://10.0.0.1:8080 --memory '/render?mb={mb}' --yes"
        })
public final class CalibrateCommand implements Callable<Integer> {
    private static final String SCOPE = "distributor";
    private static final int MEMORY_CLIENTS = 40;
    private static final int QUICK_MEMORY_CLIENTS = 8;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--backend", paramLabel = "URL", required = true, description = "The server, http://HOST:PORT.")
    @SuppressWarnings("NullAway.Init") // required
    private URI backend;

    @Option(
            names = "--host",
            paramLabel = "ID",
            description = "Under which its agent publishes. Default: found by the server's address.")
    private @Nullable String host;

    @Option(
            names = "--fine",
            paramLabel = "PATH",
            defaultValue = "/",
            description = "A tiny document, for the fine-grain experiment. Default: ${DEFAULT-VALUE}")
    private String fine = "/";

    @Option(
            names = "--coarse",
            paramLabel = "PATH",
            description = "A large document, for the coarse-grain experiment; without it that is left out.")
    private @Nullable String coarse;

    @Option(
            names = "--memory",
            paramLabel = "PATH",
            description = "A request that holds {mb} megabytes, for the memory-intensive experiment; without it that is"
                    + " left out.")
    private @Nullable String memory;

    @Option(
            names = "--max-clients",
            paramLabel = "N",
            defaultValue = "64",
            description = "Clients at the last step. Default: ${DEFAULT-VALUE}")
    private int maxClients = 64;

    @Option(
            names = "--max-mb",
            paramLabel = "N",
            defaultValue = "64",
            description = "Megabytes of one request at the last step. Default: ${DEFAULT-VALUE}")
    private int maxMegabytes = 64;

    @Option(
            names = "--quick",
            description = "Steps of 4 s instead of 20 s, and 8 instead of 40 clients that hold memory.")
    private boolean quick;

    @Option(names = "--json", description = "Print the result as one JSON object.")
    private boolean json;

    @Option(names = "--yes", description = "Write the thresholds to the cluster without asking.")
    private boolean yes;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/calibration",
            description = "Where the figures go. Default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/calibration");

    @Override
    public Integer call() throws InterruptedException, IOException {
        List<Plan> plans = plans();
        Prompt somebody = yes ? null : somebodyToAsk();
        try (ClusterConnection connection = options.connect()) {
            ObservedHost observed = ObservedHost.find(connection, backend, host);
            List<Curve> curves = run(plans, observed);
            var report = new CalibrationReport(
                    backend.toString(), observed.id().value(), curves, Calibration.thresholds(curves));
            show(report);
            var offer = new ThresholdOffer(
                    somebody,
                    change -> connection.await(connection.cluster().configure(SCOPE, change)),
                    spec.commandLine().getErr());
            return offer.of(report.thresholds());
        }
    }

    /** Better now than after half an hour of load. */
    private static Prompt somebodyToAsk() {
        return Prompt.terminal()
                .orElseThrow(() -> new CliException(
                        ExitCode.REFUSED,
                        "there is no terminal to ask whether the thresholds may be written: add --yes to write them"));
    }

    private List<Plan> plans() {
        Duration step = Duration.ofSeconds(quick ? 4 : 20);
        List<Integer> clients = growing("--max-clients", maxClients);
        List<Plan> plans = new ArrayList<>();
        plans.add(new Plan(Experiment.FINE_GRAIN, target(backend, "--fine", fine), clients, 0, step));
        if (coarse != null) {
            plans.add(new Plan(Experiment.COARSE_GRAIN, target(backend, "--coarse", coarse), clients, 0, step));
        }
        if (memory != null) {
            int holders = quick ? QUICK_MEMORY_CLIENTS : MEMORY_CLIENTS;
            List<Integer> megabytes = growing("--max-mb", maxMegabytes);
            plans.add(new Plan(Experiment.MEMORY_INTENSIVE, sized(backend, memory), megabytes, holders, step));
        }
        return plans;
    }

    private static String target(URI backend, String option, String path) {
        try {
            URI target = backend.resolve(path);
            HttpRequest.newBuilder(target);
            return target.toString();
        } catch (IllegalArgumentException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--backend '" + backend + "' " + option + " '" + path
                            + "': expected http://HOST:PORT, HOST without '_', and a path such as /index.html",
                    e);
        }
    }

    /** The size is not part of a valid address, so it goes in last. */
    static String sized(URI backend, String path) {
        if (!path.contains(Plan.SIZE)) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--memory '" + path + "': expected a path with " + Plan.SIZE + " where the megabytes go");
        }
        String marker = "size";
        while (path.contains(marker) || backend.toString().contains(marker)) {
            marker += "0";
        }
        return target(backend, "--memory", path.replace(Plan.SIZE, marker)).replace(marker, Plan.SIZE);
    }

    /** 1, 2, 3, 4, 6, 8, 12, 16 …: two steps to a doubling. */
    private static List<Integer> growing(String option, int most) {
        if (most < 2) {
            throw new CliException(
                    ExitCode.USAGE, option + " " + most + ": expected 2 or more, as a knee is between steps");
        }
        return IntStream.iterate(1, load -> load * 2)
                .limit(Integer.SIZE - 1)
                .flatMap(load -> IntStream.of(load, load + load / 2).distinct())
                .takeWhile(load -> load <= most)
                .boxed()
                .toList();
    }

    private List<Curve> run(List<Plan> plans, ObservedHost observed) throws InterruptedException {
        PrintWriter progress = spec.commandLine().getErr();
        List<Curve> curves = new ArrayList<>();
        try (Load load = new Load()) {
            StressRun stress = new StressRun(load, observed::sample, progress::println);
            for (Plan plan : plans) {
                curves.add(stress.run(plan));
            }
        }
        return curves;
    }

    private void show(CalibrationReport report) throws IOException {
        PrintWriter console = spec.commandLine().getOut();
        List<Path> figures = report.draw(out);
        if (json) {
            console.println(Json.pretty(report.json()));
        } else {
            console.print(report.text(Ansi.stdout()));
            figures.forEach(figure -> console.println("drawn: " + figure));
        }
        console.flush();
    }
}
