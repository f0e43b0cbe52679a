// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Payload;
import io.albm.bench.compare.Standings;
import io.albm.bench.compare.Standings.Figure;
import io.albm.bench.report.BenchReport.Target;
import java.util.List;
import java.util.Optional;

/**
 * A bar, which holds at every number of connections: what counts is the least ratio of its scenarios.
 *
 * @param target as in the report
 * @param scenarios that it is about
 * @param peer whom we are compared with
 * @param figure what is compared
 * @param bar least of ours over the peer's
 */
record ServeTarget(String target, List<ServeScenario> scenarios, String peer, Figure figure, double bar) {
    static final String NGINX = "nginx";
    static final String VARNISH = "varnish";

    static final ServeTarget ONE_K =
            new ServeTarget("1k", ServeScenario.kept(Payload.KILOBYTE), NGINX, Figure.EFFICIENCY, 1.3);
    static final ServeTarget TEN_K =
            new ServeTarget("10k", ServeScenario.kept(Payload.TEN_KILOBYTES), NGINX, Figure.EFFICIENCY, 1.0);
    static final ServeTarget ONE_M =
            new ServeTarget("1m", ServeScenario.kept(Payload.MEGABYTE), NGINX, Figure.EFFICIENCY, 1.2);
    static final ServeTarget CLOSE =
            new ServeTarget("close", ServeScenario.close(Payload.KILOBYTE), NGINX, Figure.EFFICIENCY, 0.8);
    static final ServeTarget VARNISH_10K =
            new ServeTarget("varnish-10k", ServeScenario.held(Payload.TEN_KILOBYTES), VARNISH, Figure.RATE, 2.0);

    /** All of them, in the order of the report. */
    static final List<ServeTarget> ALL = List.of(ONE_K, TEN_K, ONE_M, CLOSE, VARNISH_10K);

    ServeTarget {
        scenarios = List.copyOf(scenarios);
    }

    /** Whether the bar was reached; missed if one of its scenarios could not be measured. */
    Target judge(Standings standings) {
        double least = Double.POSITIVE_INFINITY;
        for (ServeScenario scenario : scenarios) {
            Optional<Double> ratio = standings.ratio(scenario, peer, figure);
            if (ratio.isEmpty()) {
                return Target.failed(target, bar, scenario.target() + " could not be measured against " + peer);
            }
            least = Math.min(least, ratio.get());
        }
        return Target.atLeast(target, least, bar);
    }
}
