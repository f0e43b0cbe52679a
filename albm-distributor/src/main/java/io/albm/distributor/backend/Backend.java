// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.json.OrcaText;
import io.albm.core.node.NodeAddress;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutedRequest;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One server that answers requests, under one address. A server that comes back under another address is another
 * backend of the same id. Thread-safe; compared by identity.
 */
public final class Backend {
    /** Told, on the event loop that saw it, when connecting has failed as often in a row as is allowed. */
    @FunctionalInterface
    interface ConnectFailures {
        void reachedLimit(Backend backend, String reason);
    }

    /** No backend but an answer: all that may take the request are tight. Never connected to. */
    public static final Backend WAIT = answer("wait");

    /** No backend but an answer: all that may take the request have as many as they may have. Never connected to. */
    public static final Backend FULL = answer("full");

    /** Weights change once a second; to read every response's report would be for nothing. */
    private static final long REPORT_PAUSE_NANOS = 100_000_000L;

    private final String id;
    private final NodeAddress address;
    private final InetSocketAddress socketAddress;
    private final int connectFailureLimit;
    private final ConnectFailures listener;
    private final RouteCosts costs;
    private final BackendLoad load = new BackendLoad();
    private final Connections connections = new Connections();
    private final Traffic traffic = new Traffic();
    private final Answers answers = new Answers();
    private final AtomicInteger connectFailures = new AtomicInteger();

    Backend(String id, NodeAddress address, int connectFailureLimit, ConnectFailures listener, RouteCosts costs) {
        this.id = id;
        this.address = address;
        this.socketAddress = InetSocketAddress.createUnresolved(address.host(), address.port());
        this.connectFailureLimit = connectFailureLimit;
        this.listener = listener;
        this.costs = costs;
    }

    private static Backend answer(String name) {
        return new Backend(name, new NodeAddress(name, 0), 1, (_, _) -> {}, new RouteCosts());
    }

    /** The member's node id, or {@code host:port} of a static backend. */
    public String id() {
        return id;
    }

    /** Where it listens. */
    public NodeAddress address() {
        return address;
    }

    /** Where to connect to; not resolved yet. */
    public InetSocketAddress socketAddress() {
        return socketAddress;
    }

    /** What this distributor has with it now. */
    public BackendLoad load() {
        return load;
    }

    /** What went through it. */
    public Traffic traffic() {
        return traffic;
    }

    /** The connections to it. */
    public Connections connections() {
        return connections;
    }

    /** Requests that were sent from here and are not answered in full. */
    public int inFlight() {
        return load.inFlight();
    }

    /**
     * Counts a request that is about to be sent, if there is room for it.
     *
     * @return a ticket for {@link #end}, or {@link BackendLoad#FULL}
     */
    public long begin(RoutedRequest request) {
        long ticket = load.began(request.route(), costs.bytes(request.route()));
        if (ticket != BackendLoad.FULL) {
            traffic.note(Count.SESSIONS);
            traffic.reached(load.inFlight());
        }
        return ticket;
    }

    /**
     * Counts a request that is over, whatever its end.
     *
     * @param ticket what {@link #begin} returned
     * @param latencyNanos from sending to the response's first byte; ignored unless answered
     * @param nowNanos by the clock of the views
     */
    public void end(long ticket, Outcome outcome, long latencyNanos, long nowNanos) {
        load.ended(ticket, outcome, latencyNanos, nowNanos);
        answers.count(outcome);
    }

    /** Notes what a response said about the memory that its request took, in bytes. */
    public void costReported(RoutedRequest request, long bytes) {
        costs.learn(request.route(), bytes);
    }

    /**
     * Notes what a response said about how the backend feels (ORCA).
     *
     * @param text the header's value
     * @param nowNanos by the clock of the views
     * @return false if it cannot be read
     */
    public boolean loadReported(String text, long nowNanos) {
        if (load.saidWithin(REPORT_PAUSE_NANOS, nowNanos)) {
            return true;
        }
        try {
            load.feels(OrcaText.parse(text), nowNanos);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** How requests to it ended. */
    Answers answers() {
        return answers;
    }

    /** Notes that a connection was made. */
    public void connected() {
        if (connectFailures.get() != 0) {
            connectFailures.set(0);
        }
    }

    /** Notes that no connection could be made. */
    public void connectFailed(String reason) {
        traffic.note(Count.CONNECT_ERRORS);
        if (connectFailures.incrementAndGet() == connectFailureLimit) {
            listener.reachedLimit(this, reason);
        }
    }

    /** Lets connect failures be counted from zero again. */
    void forgetConnectFailures() {
        connectFailures.set(0);
    }

    @Override
    public String toString() {
        return id + " (" + address + ")";
    }
}
