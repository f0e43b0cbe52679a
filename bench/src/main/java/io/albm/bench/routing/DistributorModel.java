// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.distributor.routing.AdmissionQueue;
import io.albm.distributor.routing.AdmissionQueue.Verdict;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.BackendView;
import io.albm.distributor.routing.HostReport;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutingPolicy;
import io.albm.distributor.routing.RoutingView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One distributor: the real policy, its books and its queue, and nothing of the network. It renews its rotation as often
 * as the real one does and turns its queue when a request ends, when the rotation is new, and every 10 ms.
 */
final class DistributorModel {
    static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(3);
    private static final int QUEUE_PER_SERVER = 64;
    private static final long RENEWAL_NANOS = Units.nanos(0.1);
    static final long TICK_NANOS = Units.nanos(0.01);
    private static final long REPORT_MAX_AGE_NANOS = Units.nanos(30);

    private final Agenda agenda;
    private final List<ServerModel> servers;
    private final Scenario scenario;
    private final Tally tally;
    private final Witness witness;
    private final SplittableRandom random;
    private final RoutingPolicy policy;
    private final RouteCosts costs = new RouteCosts();
    private final List<BackendLoad> loads = new ArrayList<>();
    private final @Nullable HostReport[] reports;
    private final int[][] inFlight;
    private final AdmissionQueue<SimulatedRequest> queue;
    private Rotation rotation = (_, _) -> Rotation.NONE;
    private final ArrayDeque<SimulatedRequest> clients = new ArrayDeque<>();
    private final long patienceNanos;
    private boolean ticking;

    DistributorModel(
            Agenda agenda,
            List<ServerModel> servers,
            Scenario scenario,
            Contender contender,
            Tally tally,
            Witness witness,
            SplittableRandom random) {
        this.agenda = agenda;
        this.servers = servers;
        this.scenario = scenario;
        this.tally = tally;
        this.witness = witness;
        this.random = random;
        this.reports = new HostReport[servers.size()];
        this.inFlight = new int[RequestClass.values().length][servers.size()];
        this.policy = contender.policy().apply(inFlight);
        this.patienceNanos = scenario.patience().toNanos();
        this.queue =
                new AdmissionQueue<>(RequestClass.values().length, QUEUE_PER_SERVER * servers.size(), QUEUE_TIMEOUT);
        servers.forEach(_ -> loads.add(new BackendLoad()));
        renew();
        agenda.every(random.nextLong(RENEWAL_NANOS), RENEWAL_NANOS, this::renew);
    }

    private void renew() {
        var views = new ArrayList<BackendView>(servers.size());
        for (int i = 0; i < servers.size(); i++) {
            views.add(new BackendView(id(i), true, 1, loads.get(i), fresh(reports[i])));
        }
        rotation = policy.rotate(
                new RoutingView(views, ReliefSettings.DEFAULT, costs, scenario.distributors(), agenda.nowNanos()));
        giveUp();
        turnQueue();
    }

    private @Nullable HostReport fresh(@Nullable HostReport report) {
        return report != null && agenda.nowNanos() - report.receivedNanos() <= REPORT_MAX_AGE_NANOS ? report : null;
    }

    void report(int server, CounterSample sample, long sequence) {
        reports[server] = new HostReport(sample, new HostHealth.Serving(), sequence, agenda.nowNanos());
        costs.reported(loads.get(server), sample, ReliefSettings.DEFAULT.thresholds());
        loads.get(server).reported(costs);
    }

    void accept(SimulatedRequest request) {
        giveUp();
        clients.add(request);
        if (!send(request)) {
            hold(request);
        }
    }

    private void hold(SimulatedRequest request) {
        witness.queued(request);
        if (queue.offer(request, request.kind.number, agenda.nowNanos())) {
            tick();
        } else {
            request.end();
        }
    }

    /** All clients wait as long, so that they go away in the order in which they came. */
    private void giveUp() {
        while (!clients.isEmpty() && clients.getFirst().ageNanos() >= patienceNanos) {
            SimulatedRequest gone = clients.removeFirst();
            if (gone.end()) {
                queue.remove(gone);
            }
        }
    }

    private static String id(int server) {
        return "s" + server;
    }

    /** What it has with each server. */
    List<BackendLoad> loads() {
        return loads;
    }

    /** False if it has to wait. */
    private boolean send(SimulatedRequest request) {
        int server = rotation.pick(request, random);
        if (server < 0) {
            return false;
        }
        witness.sent(request, id(server), rotation);
        long ticket = loads.get(server).began(request.route(), costs.bytes(request.route()));
        inFlight[request.kind.number][server]++;
        long sentNanos = agenda.nowNanos();
        servers.get(server)
                .accept(new ServerModel.Job(
                        request.memoryBytes,
                        request.kind.cpuSeconds,
                        request.kind.holdSeconds(random),
                        () -> !request.isOver(),
                        () -> ended(request, server, ticket, sentNanos)));
        return true;
    }

    private void ended(SimulatedRequest request, int server, long ticket, long sentNanos) {
        inFlight[request.kind.number][server]--;
        boolean wanted = request.end();
        loads.get(server)
                .ended(
                        ticket,
                        wanted ? Outcome.ANSWERED : Outcome.ABANDONED,
                        agenda.nowNanos() - sentNanos,
                        agenda.nowNanos());
        if (scenario.responsesTellCosts()) {
            costs.learn(request.route(), Math.round(request.memoryBytes * scenario.noise(random)));
        }
        if (wanted) {
            tally.answered(request);
        }
        turnQueue();
    }

    private void turnQueue() {
        if (queue.size() > 0) {
            queue.turn(agenda.nowNanos(), call -> send(call) ? Verdict.GOES : Verdict.REFUSED, this::timeOut);
        }
    }

    private void timeOut(SimulatedRequest request) {
        witness.timedOut(request);
        request.end();
    }

    private void tick() {
        if (!ticking && queue.size() > 0) {
            ticking = true;
            agenda.after(TICK_NANOS, () -> {
                ticking = false;
                turnQueue();
                tick();
            });
        }
    }
}
