// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.core.node.CounterSample;
import io.albm.core.node.Thresholds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReportedCostsTest {
    private static final double MIB = 1 << 20;
    private static final int TINY = 1;
    private static final int MEDIUM = 2;
    private static final int LARGE = 3;
    private static final int[] HOLDS = {0, 0, 5, 15};
    private static final int SERVERS = 4;

    private final SplittableRandom random = new SplittableRandom(5);
    private final RouteCosts costs = new RouteCosts();
    private final List<BackendLoad> servers = new ArrayList<>();
    private final List<List<Long>> tickets = new ArrayList<>();

    ReportedCostsTest() {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new BackendLoad());
            tickets.add(new ArrayList<>());
        }
    }

    @Test
    void learnsWhatRequestsHoldFromAvailableMemoryAlone() {
        report(400, 0);

        assertThat(inMib(MEDIUM)).isCloseTo(5, within(0.5));
        assertThat(inMib(LARGE)).isCloseTo(15, within(0.5));
        assertThat(costs.bytes(TINY)).isEqualTo(RouteCosts.UNKNOWN);
    }

    @Test
    void isRobustToNoiseAndToAnAntagonist() {
        report(2_000, 20);

        assertThat(inMib(MEDIUM)).isCloseTo(5, within(1.5));
        assertThat(inMib(LARGE)).isCloseTo(15, within(3.0));
        assertThat(costs.bytes(TINY)).isEqualTo(RouteCosts.UNKNOWN);
    }

    /** As where a policy fills hosts up to a level: to learn from the reports above it is to learn from what was held too little. */
    @Test
    void findsNoCostTooSmallWhereHostsAreFilled() {
        report(2_000, 5, 230);

        assertThat(inMib(MEDIUM)).isCloseTo(5, within(0.25));
        assertThat(inMib(LARGE)).isCloseTo(15, within(0.75));
    }

    /** As where a host stalls, and reports what requests took or gave back one report late. */
    @Test
    void isNotMisledByTheReportsOfStalledHosts() {
        for (int round = 0; round < 400; round++) {
            for (int server = 0; server < SERVERS; server++) {
                double before = held(servers.get(server));
                change(servers.get(server), tickets.get(server));
                report(servers.get(server), 800 - (round % 10 == 0 ? before : held(servers.get(server))));
            }
        }

        assertThat(inMib(MEDIUM)).isCloseTo(5, within(0.1));
        assertThat(inMib(LARGE)).isCloseTo(15, within(0.1));
    }

    @Test
    void learnsNothingFromAHostThatReadsBackPages() {
        for (int round = 0; round < 400; round++) {
            for (int server = 0; server < SERVERS; server++) {
                change(servers.get(server), tickets.get(server));
                double available = 800 - held(servers.get(server));
                costs.reported(
                        servers.get(server),
                        new CounterSample(Math.round(available * MIB), 5_000, 0, 0, 0, 0),
                        Thresholds.OF_PAPER);
            }
        }

        assertThat(costs.known()).isEmpty();
    }

    @Test
    void saysNothingBeforeItIsSure() {
        report(3, 20);

        assertThat(costs.bytes(MEDIUM)).isEqualTo(RouteCosts.UNKNOWN);
        assertThat(costs.bytes(LARGE)).isEqualTo(RouteCosts.UNKNOWN);
    }

    /** As on a host that is slow while it is full: what comes and goes between two reports seems to fill it. */
    @Test
    void believesNothingOfRequestsThatAreOverBeforeAReportCouldShowThem() {
        BackendLoad load = servers.getFirst();
        for (int round = 0; round < 2_000; round++) {
            for (int i = 0; i < 20; i++) {
                load.ended(load.began(TINY, 0), Outcome.ANSWERED, 1, 1);
            }
            boolean slow = random.nextBoolean();
            long caught = slow ? load.began(TINY, 0) : 0;
            report(load, slow ? 370 : 400);
            if (slow) {
                load.ended(caught, Outcome.ANSWERED, 1, 1);
            }
        }

        assertThat(costs.bytes(TINY)).isEqualTo(RouteCosts.UNKNOWN);
    }

    /** As while another balancer, which nobody knows of, sends to the same hosts. */
    @Test
    void whatHappensWhileNothingOfItsOwnChangesDoesNotMakeItUnsure() {
        for (int i = 0; i < 1_000; i++) {
            report(servers.getFirst(), i % 2 == 0 ? 200 : 400);
        }
        report(40, 0);

        assertThat(inMib(MEDIUM)).isCloseTo(5, within(0.5));
    }

    @Test
    void whatResponsesSayCountsMore() {
        report(400, 0);
        for (int i = 0; i < 8; i++) {
            costs.learn(MEDIUM, 7 << 20);
        }

        assertThat(inMib(MEDIUM)).isEqualTo(7);
    }

    private double inMib(int route) {
        return costs.bytes(route) / MIB;
    }

    private void report(int rounds, int noiseMib) {
        report(rounds, noiseMib, 800);
    }

    private void report(int rounds, int noiseMib, int memoryMib) {
        for (int round = 0; round < rounds; round++) {
            for (int server = 0; server < SERVERS; server++) {
                change(servers.get(server), tickets.get(server));
                int antagonist = memoryMib > 400 && round / 20 % 3 == 0 ? 150 : 0;
                double available =
                        memoryMib - antagonist - held(servers.get(server)) + noiseMib * random.nextGaussian();
                report(servers.get(server), available);
            }
        }
    }

    private void report(BackendLoad load, double availableMib) {
        costs.reported(load, new CounterSample(Math.round(availableMib * MIB), 0, 0, 0, 0, 0), Thresholds.OF_PAPER);
    }

    private void change(BackendLoad load, List<Long> open) {
        for (int i = random.nextInt(8); i > 0; i--) {
            open.add(load.began(TINY + random.nextInt(3), 0));
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            if (random.nextInt(4) == 0) {
                load.ended(open.remove(i), Outcome.ANSWERED, 1, 1);
            }
        }
    }

    private static int held(BackendLoad load) {
        return HOLDS[MEDIUM] * load.inFlight(MEDIUM) + HOLDS[LARGE] * load.inFlight(LARGE);
    }
}
