// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Medians of all that was measured, ours against each peer. */
public final class Standings {
    /** What is compared; more is better. */
    public enum Figure {
        EFFICIENCY("", "requests/s of CPU") {
            @Override
            double of(Run run) {
                return run.requestsPerCpuSecond();
            }
        },
        RATE(" rate", "requests/s") {
            @Override
            double of(Run run) {
                return run.requestsPerSecond();
            }
        };

        private final String suffix;
        private final String unit;

        Figure(String suffix, String unit) {
            this.suffix = suffix;
            this.unit = unit;
        }

        abstract double of(Run run);

        private double median(List<Run> runs) {
            return Median.of(runs.stream().map(this::of).toList());
        }
    }

    private final String ours;
    private final List<Result> results = new ArrayList<>();

    /** Nothing yet. */
    public Standings(String ours) {
        this.ours = ours;
    }

    /**
     * Adds a scenario.
     *
     * @param runs of each contender, by its name
     */
    public void add(Scenario scenario, Map<String, List<Run>> runs) {
        List<Run> own = runs.getOrDefault(ours, List.of());
        runs.forEach((name, others) -> {
            if (!name.equals(ours)) {
                add(scenario, name, own, others);
            }
        });
    }

    private void add(Scenario scenario, String peer, List<Run> own, List<Run> others) {
        for (Figure figure : Figure.values()) {
            results.add(Result.of(
                    scenario.target() + figure.suffix,
                    figure.median(own),
                    figure.median(others),
                    peer,
                    figure.unit,
                    own.size()));
        }
    }

    /** Ours over the peer's, if both took part in that scenario. */
    public Optional<Double> ratio(Scenario scenario, String peer, Figure figure) {
        return results.stream()
                .filter(result -> result.name().equals(scenario.target() + figure.suffix))
                .filter(result -> result.peerName().equals(peer))
                .map(Result::ratio)
                .findFirst();
    }

    /** All of them, in the order in which they were added. */
    public List<Result> results() {
        return List.copyOf(results);
    }
}
