// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Contender;
import io.albm.bench.compare.Pace;
import io.albm.bench.compare.Run;
import io.albm.bench.compare.Standings;
import io.albm.bench.compare.Surroundings;
import io.albm.bench.compare.Tools;
import io.albm.bench.compare.Turns;
import io.albm.bench.report.BenchReport;
import io.albm.core.cli.CliException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The whole comparison: lets the contenders take turns scenario by scenario and puts medians and targets together. A
 * scenario that cannot be measured is a missed target.
 */
final class ServeComparison {
    private final List<Contender> contenders;
    private final Turns turns;
    private final Quotas quotas;
    private final Consumer<String> progress;

    /**
     * Of those.
     *
     * @param contenders ours first
     * @param quotas of those contenders
     */
    ServeComparison(List<Contender> contenders, Turns turns, Quotas quotas, Consumer<String> progress) {
        this.contenders = List.copyOf(contenders);
        this.turns = turns;
        this.quotas = quotas;
        this.progress = progress;
    }

    /** Measures what the targets need. */
    BenchReport of(List<ServeTarget> targets, Pace pace) throws IOException, InterruptedException {
        Standings standings = new Standings(Servers.OURS);
        List<ServeScenario> scenarios = targets.stream()
                .map(ServeTarget::scenarios)
                .flatMap(Collection::stream)
                .distinct()
                .toList();
        for (ServeScenario scenario : scenarios) {
            measure(scenario, standings);
        }
        return new BenchReport(
                standings.results(),
                targets.stream().map(target -> target.judge(standings)).toList(),
                surroundings(pace));
    }

    private void measure(ServeScenario scenario, Standings standings) throws IOException, InterruptedException {
        try {
            standings.add(scenario, runs(scenario));
        } catch (CliException e) {
            progress.accept(scenario.target() + ": " + e.getMessage());
        }
    }

    private Map<String, List<Run>> runs(ServeScenario scenario) throws IOException, InterruptedException {
        if (!scenario.held()) {
            return turns.of(scenario, contenders);
        }
        try {
            quotas.hold(contenders);
            return turns.of(scenario, contenders);
        } finally {
            quotas.lift();
        }
    }

    private Map<String, String> surroundings(Pace pace) throws IOException {
        Map<String, String> all = Surroundings.of(
                pace,
                "as many connections as the result's name says, servers held to %s processors where it says so"
                        .formatted(Quotas.PROCESSORS));
        all.put(ServeTarget.NGINX, Tools.version("nginx", "-v"));
        all.put(ServeTarget.VARNISH, Tools.version("varnishd", "-V"));
        return all;
    }
}
