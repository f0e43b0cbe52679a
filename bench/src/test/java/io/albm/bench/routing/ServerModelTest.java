// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The model does what its essay says. */
class ServerModelTest {
    private static final double MIB = ServerModel.MIB;

    private final Agenda agenda = new Agenda();
    private final ServerModel server = new ServerModel(agenda, 1);
    private final List<Double> doneAfter = new ArrayList<>();

    @Test
    void oneRequestTakesItsProcessorTimeAndItsDelivery() {
        accept(5, 0.05, 1);
        agenda.runUntil(Units.nanos(10));

        assertThat(doneAfter).hasSize(1);
        assertThat(doneAfter.getFirst()).isCloseTo(1.05, within(1e-6));
    }

    @Test
    void requestsShareTheProcessor() {
        accept(0, 1, 0);
        accept(0, 2, 0);
        agenda.runUntil(Units.nanos(10));

        assertThat(doneAfter).hasSize(2);
        assertThat(doneAfter.get(0)).isCloseTo(2, within(1e-6));
        assertThat(doneAfter.get(1)).isCloseTo(3, within(1e-6));
    }

    @Test
    void memoryIsHeldUntilTheAnswerIsDelivered() {
        accept(15, 0.1, 1);
        agenda.runUntil(Units.nanos(0.5));
        assertThat(server.sample().availableMemoryBytes()).isEqualTo(345 * ServerModel.MIB);

        agenda.runUntil(Units.nanos(2));
        assertThat(server.sample().availableMemoryBytes()).isEqualTo(360 * ServerModel.MIB);
    }

    @Test
    void worksHalfAsFastWhereThePaperSawTheKneesEnd() {
        server.disturb(277 * MIB);
        accept(0, 1, 0);
        agenda.runUntil(Units.nanos(10));

        assertThat(doneAfter.getFirst()).isCloseTo(2, within(1e-6));
    }

    @Test
    void dropsFromItsBacklogWhomNobodyWaitsFor() {
        for (int i = 0; i < 48; i++) {
            accept(0, 0.01, 0);
        }
        server.accept(new ServerModel.Job(0, 100, 0, () -> false, () -> doneAfter.add(-1.0)));
        accept(0, 0.01, 0);
        agenda.runUntil(Units.nanos(2));

        assertThat(doneAfter).hasSize(50).contains(-1.0);
    }

    private void accept(double mib, double cpuSeconds, double holdSeconds) {
        server.accept(new ServerModel.Job(
                mib * MIB,
                cpuSeconds,
                holdSeconds,
                () -> true,
                () -> doneAfter.add(agenda.nowNanos() / Units.NANOS_PER_SECOND)));
    }
}
