// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.bench.proxy.Distributors.NotSupportedException;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.Median;
import io.albm.core.cli.CliException;
import io.albm.core.local.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * The whole comparison: starts everybody, lets them take turns scenario by scenario, and puts medians and targets
 * together. A scenario that cannot be measured is a missed target with its reason.
 */
final class ProxyComparison {
    private static final String OURS = "albm";
    private static final String HAPROXY = "haproxy";
    private static final String NGINX = "nginx";

    private final ProcessGroup processes;
    private final Installation installation;
    private final Pace pace;
    private final Consumer<String> progress;
    private final List<Result> results = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();

    ProxyComparison(ProcessGroup processes, Installation installation, Pace pace, Consumer<String> progress) {
        this.processes = processes;
        this.installation = installation;
        this.pace = pace;
        this.progress = progress;
    }

    /** Measures; once. */
    BenchReport of(Set<Scenario> scenarios) throws IOException, InterruptedException {
        Backends backends = Backends.start(processes);
        SelfSigned selfSigned = SelfSigned.make(processes.directory());
        Path certificate = selfSigned.writePem(processes.directory().resolve("server.pem"));
        Path certificates = selfSigned.writeDirectory(processes.directory().resolve("certificates"));
        int threads = Runtime.getRuntime().availableProcessors();
        Distributors distributors = new Distributors(Roles.start(processes, installation), backends, certificates);
        List<Peer> peers = List.of(
                Peer.start(HAPROXY, new HaproxyConfiguration(threads, certificate), processes, backends),
                Peer.start(NGINX, new NginxConfiguration(threads, certificate), processes, backends));
        Turns turns = new Turns(new Wrk(processes), pace, progress);
        for (Mode mode : Mode.values()) {
            List<Scenario> ofMode =
                    scenarios.stream().filter(each -> each.mode() == mode).toList();
            if (!ofMode.isEmpty()) {
                compare(mode, ofMode, distributors, peers, turns);
            }
        }
        return new BenchReport(results, targets, Surroundings.of(pace));
    }

    private void compare(Mode mode, List<Scenario> scenarios, Distributors distributors, List<Peer> peers, Turns turns)
            throws IOException, InterruptedException {
        try {
            List<Contender> contenders = new ArrayList<>(List.of(distributors.start(mode)));
            peers.forEach(peer -> peer.in(mode).ifPresent(contenders::add));
            for (Scenario scenario : scenarios) {
                compare(scenario, contenders, turns);
            }
        } catch (NotSupportedException e) {
            scenarios.forEach(scenario -> fail(scenario, e));
        }
    }

    private void compare(Scenario scenario, List<Contender> contenders, Turns turns)
            throws IOException, InterruptedException {
        try {
            Map<String, List<Run>> runs = turns.of(scenario, contenders);
            runs.keySet().stream().filter(name -> !name.equals(OURS)).forEach(peer -> add(scenario, runs, peer));
        } catch (CliException e) {
            fail(scenario, e);
        }
    }

    private void fail(Scenario scenario, Exception e) {
        String reason = String.valueOf(e.getMessage());
        progress.accept(scenario.target() + ": " + reason);
        targets.add(Target.failed(scenario.target(), scenario.bar(), reason));
    }

    private void add(Scenario scenario, Map<String, List<Run>> runs, String peer) {
        Result efficiency = result(scenario.target(), runs, peer, Run::requestsPerCpuSecond, "requests/s of CPU");
        results.add(efficiency);
        results.add(result(scenario.target() + " rate", runs, peer, Run::requestsPerSecond, "requests/s"));
        if (peer.equals(HAPROXY)) {
            targets.add(Target.atLeast(scenario.target(), efficiency.ratio(), scenario.bar()));
        }
    }

    private Result result(
            String name, Map<String, List<Run>> runs, String peer, ToDoubleFunction<Run> figure, String unit) {
        return Result.of(name, median(runs, OURS, figure), median(runs, peer, figure), peer, unit, pace.rounds());
    }

    private static double median(Map<String, List<Run>> runs, String contender, ToDoubleFunction<Run> figure) {
        return Median.of(runs.getOrDefault(contender, List.of()).stream()
                .map(figure::applyAsDouble)
                .toList());
    }
}
