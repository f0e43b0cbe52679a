// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.routing.Scenario.Trouble;
import io.albm.distributor.routing.Rotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must hold in every run, whatever the figures are. */
class RoutingSimTest {
    private static final RunLength SHORT = new RunLength(10, 60, 1);
    private static final double DRAIN_SECONDS = 120;
    private static final Contender OURS = Contender.registered(Contender.OURS);

    private final List<String> broken = new ArrayList<>();
    private int waited;

    private final Witness witness = new Witness() {
        @Override
        public void sent(SimulatedRequest request, String server, Rotation by) {
            if (request.kind != RequestClass.TINY && by.relieved().containsKey(server)) {
                broken.add(request.kind + " request sent to the relieved " + server);
            }
            expectInTime(request);
        }

        @Override
        public void queued(SimulatedRequest request) {
            waited++;
            if (request.kind == RequestClass.TINY) {
                broken.add("a cheap request waits");
            }
        }

        @Override
        public void timedOut(SimulatedRequest request) {
            expectInTime(request);
        }

        private void expectInTime(SimulatedRequest request) {
            long most = DistributorModel.QUEUE_TIMEOUT.toNanos() + DistributorModel.TICK_NANOS;
            if (request.ageNanos() > most) {
                broken.add("a request waited " + request.ageNanos() + " ns");
            }
        }
    };

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void keepsItsPromisesWhateverGoesWrong(Trouble trouble) {
        Scenario scenario = Scenario.plain(4, 95, 8).with(trouble);
        for (long seed = 1; seed <= 2; seed++) {
            run(scenario, seed);
        }

        assertThat(broken).isEmpty();
        assertThat(waited).as("requests that had to wait").isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void reservationsReturnToZero(int distributors) {
        RoutingSimulation simulation = run(Scenario.plain(4, 80, distributors), 1);
        simulation.drain(DRAIN_SECONDS);

        assertThat(simulation.distributors())
                .flatExtracting(DistributorModel::loads)
                .hasSize(4 * distributors)
                .allSatisfy(load -> {
                    assertThat(load.inFlight()).isZero();
                    assertThat(load.costInFlight()).isZero();
                });
    }

    @Test
    void theSameSeedIsTheSameRun() {
        Scenario scenario = Scenario.plain(4, 80, 8);
        double first = new RoutingSimulation(scenario, OURS, SHORT, 7, Witness.NONE)
                .run()
                .percentInTime();
        double again = new RoutingSimulation(scenario, OURS, SHORT, 7, Witness.NONE)
                .run()
                .percentInTime();

        assertThat(again).isEqualTo(first);
    }

    private RoutingSimulation run(Scenario scenario, long seed) {
        var simulation = new RoutingSimulation(scenario, OURS, SHORT, seed, witness);
        simulation.run();
        return simulation;
    }
}
