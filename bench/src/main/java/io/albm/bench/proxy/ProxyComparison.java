// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Contender;
import io.albm.bench.compare.Pace;
import io.albm.bench.compare.Standings;
import io.albm.bench.compare.Standings.Figure;
import io.albm.bench.compare.Surroundings;
import io.albm.bench.compare.Tools;
import io.albm.bench.compare.Turns;
import io.albm.bench.compare.Wrk;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.bench.proxy.Distributors.NotSupportedException;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.cli.CliException;
import io.albm.core.local.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

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
    private final Standings standings = new Standings(OURS);
    private final List<Target> targets = new ArrayList<>();

    ProxyComparison(ProcessGroup processes, Installation installation, Pace pace, Consumer<String> progress) {
        this.processes = processes;
        this.installation = installation;
        this.pace = pace;
        this.progress = progress;
    }

    /** Measures; once. */
    BenchReport of(Set<ProxyScenario> scenarios) throws IOException, InterruptedException {
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
            List<ProxyScenario> ofMode =
                    scenarios.stream().filter(each -> each.mode() == mode).toList();
            if (!ofMode.isEmpty()) {
                compare(mode, ofMode, distributors, peers, turns);
            }
        }
        return new BenchReport(standings.results(), targets, surroundings());
    }

    private void compare(
            Mode mode, List<ProxyScenario> scenarios, Distributors distributors, List<Peer> peers, Turns turns)
            throws IOException, InterruptedException {
        try {
            List<Contender> contenders = new ArrayList<>(List.of(distributors.start(mode)));
            peers.forEach(peer -> peer.in(mode).ifPresent(contenders::add));
            for (ProxyScenario scenario : scenarios) {
                compare(scenario, contenders, turns);
            }
        } catch (NotSupportedException e) {
            scenarios.forEach(scenario -> fail(scenario, e));
        }
    }

    private void compare(ProxyScenario scenario, List<Contender> contenders, Turns turns)
            throws IOException, InterruptedException {
        try {
            standings.add(scenario, turns.of(scenario, contenders));
            standings
                    .ratio(scenario, HAPROXY, Figure.EFFICIENCY)
                    .ifPresent(ratio -> targets.add(Target.atLeast(scenario.target(), ratio, scenario.bar())));
        } catch (CliException e) {
            fail(scenario, e);
        }
    }

    private void fail(ProxyScenario scenario, Exception e) {
        String reason = String.valueOf(e.getMessage());
        progress.accept(scenario.target() + ": " + reason);
        targets.add(Target.failed(scenario.target(), scenario.bar(), reason));
    }

    private Map<String, String> surroundings() throws IOException {
        Map<String, String> all = Surroundings.of(pace, "64 connections (16 for 1 MiB)");
        all.put(HAPROXY, Tools.version("haproxy", "-v"));
        all.put(NGINX, Tools.version("nginx", "-v"));
        return all;
    }
}
