// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.core.node.CounterSample;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One run: clients, distributors, servers, agents and antagonists, all by one seed. Whatever does not depend on the
 * contender (arrivals, classes, antagonists) is the same for all contenders of one seed.
 */
final class RoutingSimulation {
    /** Where costs have to be learned from reports, a quiet time before: half the load for ten minutes. */
    private static final double CALM_SECONDS = 600;

    private static final double CALM_LOAD = 0.5;
    private static final double COOL_DOWN_SECONDS = 4;
    /** The agent's publish-period. */
    private static final long REPORT_PERIOD_NANOS = Units.nanos(1);

    private static final double ANTAGONIST_PAUSE_SECONDS = 20;
    private static final double ANTAGONIST_RUN_SECONDS = 10;
    private static final double ANTAGONIST_LEAST_MIB = 100;
    private static final double ANTAGONIST_MOST_MIB = 200;

    private final Agenda agenda = new Agenda();
    private final Scenario scenario;
    private final Contender contender;
    private final double calm;
    private final double begin;
    private final double end;
    private final SplittableRandom arrivals;
    private final SplittableRandom surroundings;
    private final List<ServerModel> servers = new ArrayList<>();
    private final List<DistributorModel> distributors = new ArrayList<>();
    private final Tally tally;
    private long reported;
    private boolean closed;

    /** A run that has not begun. */
    RoutingSimulation(Scenario scenario, Contender contender, RunLength length, long seed, Witness witness) {
        this.scenario = scenario;
        this.contender = contender;
        this.calm = scenario.responsesTellCosts() ? 0 : CALM_SECONDS;
        this.begin = calm + length.warmUpSeconds();
        this.end = begin + length.seconds();
        this.tally = new Tally(Units.nanos(begin), Units.nanos(end));
        var source = new SplittableRandom(seed);
        this.arrivals = source.split();
        this.surroundings = source.split();
        for (int i = 0; i < scenario.servers(); i++) {
            addServer(i);
        }
        for (int i = 0; i < scenario.distributors(); i++) {
            distributors.add(
                    new DistributorModel(agenda, servers, scenario, contender, tally, witness, source.split()));
        }
        arrive();
    }

    /** Lets it all happen; clients go on coming until those that are counted have had their time. */
    Tally run() {
        agenda.runUntil(Units.nanos(end + COOL_DOWN_SECONDS));
        return tally;
    }

    /** Lets no client come any more and that much time pass. */
    void drain(double seconds) {
        closed = true;
        agenda.runUntil(agenda.nowNanos() + Units.nanos(seconds));
    }

    List<DistributorModel> distributors() {
        return distributors;
    }

    private void arrive() {
        double rate = scenario.arrivalsPerSecond() * (agenda.nowNanos() < Units.nanos(calm) ? CALM_LOAD : 1);
        agenda.after(Units.nanos(arrivals.nextExponential() / rate), () -> {
            if (closed) {
                return;
            }
            RequestClass kind = RequestClass.draw(arrivals);
            var request = new SimulatedRequest(
                    kind,
                    kind.memoryBytes * scenario.noise(arrivals),
                    contender.route(kind),
                    arrivals.nextLong(),
                    agenda);
            tally.arrived(request);
            distributors.get(entrance()).accept(request);
            arrive();
        });
    }

    private int entrance() {
        boolean first = scenario.isUneven() && arrivals.nextBoolean();
        return first ? 0 : arrivals.nextInt(distributors.size());
    }

    private void addServer(int index) {
        int place = index % 4;
        var server = new ServerModel(agenda, place == 3 ? 0.5 : 1);
        servers.add(server);
        agenda.every(surroundings.nextLong(REPORT_PERIOD_NANOS), REPORT_PERIOD_NANOS, () -> report(index, server));
        if (place < 2) {
            pause(server, surroundings.split());
        }
    }

    private void report(int index, ServerModel server) {
        if (scenario.losesAgents() && index % 2 == 0 && isMiddleThird()) {
            return;
        }
        CounterSample sample = server.sample();
        long sequence = reported++;
        for (DistributorModel distributor : distributors) {
            agenda.after(scenario.reportDelay().toNanos(), () -> distributor.report(index, sample, sequence));
        }
    }

    private boolean isMiddleThird() {
        double into = (agenda.nowNanos() / Units.NANOS_PER_SECOND - begin) / (end - begin);
        return into > 1.0 / 3 && into < 2.0 / 3;
    }

    private void pause(ServerModel server, SplittableRandom own) {
        server.disturb(0);
        agenda.after(Units.nanos(ANTAGONIST_PAUSE_SECONDS * own.nextExponential()), () -> {
            server.disturb(own.nextDouble(ANTAGONIST_LEAST_MIB, ANTAGONIST_MOST_MIB) * ServerModel.MIB);
            agenda.after(Units.nanos(ANTAGONIST_RUN_SECONDS * own.nextExponential()), () -> pause(server, own));
        });
    }
}
