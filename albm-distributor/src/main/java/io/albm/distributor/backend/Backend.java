// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.node.NodeAddress;
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

    private final String id;
    private final NodeAddress address;
    private final InetSocketAddress socketAddress;
    private final int connectFailureLimit;
    private final ConnectFailures listener;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger connectFailures = new AtomicInteger();

    Backend(String id, NodeAddress address, int connectFailureLimit, ConnectFailures listener) {
        this.id = id;
        this.address = address;
        this.socketAddress = InetSocketAddress.createUnresolved(address.host(), address.port());
        this.connectFailureLimit = connectFailureLimit;
        this.listener = listener;
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

    /** Requests that were sent from here and are not answered in full. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Counts a request that is about to be sent. */
    public void begin() {
        inFlight.incrementAndGet();
    }

    /** Counts a request that is over, whatever its end. */
    public void end() {
        inFlight.decrementAndGet();
    }

    /** Notes that a connection was made. */
    public void connected() {
        if (connectFailures.get() != 0) {
            connectFailures.set(0);
        }
    }

    /** Notes that no connection could be made. */
    public void connectFailed(String reason) {
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
