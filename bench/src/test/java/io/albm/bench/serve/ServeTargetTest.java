// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.compare.Run;
import io.albm.bench.compare.Standings;
import io.albm.bench.report.BenchReport.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A bar holds at every number of connections. */
class ServeTargetTest {
    private final Standings standings = new Standings("albm");

    @Test
    void itsValueIsTheLeastRatioOfItsScenarios() {
        add(ServeTarget.ONE_K.scenarios().getFirst(), "nginx", 1.6);
        add(ServeTarget.ONE_K.scenarios().getLast(), "nginx", 1.4);
        assertThat(ServeTarget.ONE_K.judge(standings)).isEqualTo(Target.atLeast("1k", 1.4, 1.3));
    }

    @Test
    void anotherPeersRatioDoesNotCount() {
        ServeTarget.TEN_K.scenarios().forEach(scenario -> add(scenario, "varnish", 3));
        assertThat(ServeTarget.TEN_K.judge(standings).ok()).isFalse();
        assertThat(ServeTarget.TEN_K.judge(standings).reason()).contains("10k/64", "nginx");
    }

    @Test
    void varnishIsComparedByTheRateOfAnswers() {
        ServeTarget.VARNISH_10K.scenarios().forEach(scenario -> add(scenario, "varnish", 2.5));
        assertThat(ServeTarget.VARNISH_10K.judge(standings).value()).isEqualTo(1);
    }

    /** Both answer as many requests a second, the peer for {@code ratio} times the CPU time. */
    private void add(ServeScenario scenario, String peer, double ratio) {
        standings.add(scenario, Map.of("albm", List.of(new Run(100, 1, 1)), peer, List.of(new Run(100, 1, ratio))));
    }
}
