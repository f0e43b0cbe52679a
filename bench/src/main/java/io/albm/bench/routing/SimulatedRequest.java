// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.distributor.routing.RoutedRequest;

/** One request of the simulated clients. */
final class SimulatedRequest implements RoutedRequest {
    final RequestClass kind;
    final double memoryBytes;
    final long arrivedNanos;
    private final int route;
    private final long hash;
    private final Agenda agenda;
    private boolean over;

    SimulatedRequest(RequestClass kind, double memoryBytes, int route, long hash, Agenda agenda) {
        this.kind = kind;
        this.memoryBytes = memoryBytes;
        this.route = route;
        this.hash = hash;
        this.agenda = agenda;
        this.arrivedNanos = agenda.nowNanos();
    }

    @Override
    public long hash() {
        return hash;
    }

    @Override
    public int route() {
        return route;
    }

    @Override
    public boolean tried(String backendId) {
        return false;
    }

    @Override
    public long nowNanos() {
        return agenda.nowNanos();
    }

    /** Ends it for its client; true the first time. */
    boolean end() {
        boolean first = !over;
        over = true;
        return first;
    }

    boolean isOver() {
        return over;
    }

    long ageNanos() {
        return agenda.nowNanos() - arrivedNanos;
    }
}
