// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.Connections;
import io.albm.distributor.stats.Traffic;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one backend. The one used last is lent first, so that those which a quiet hour
 * does not need grow old and are closed. Who borrows has a place at the backend, so that there are never more lent than it
 * may have; an idle one is closed when one more than that is opened.
 *
 * <p>Confined to its event loop, but for what {@link Connections.Idle} asks.
 */
final class UpstreamPool implements Connections.Idle {
    /** What comes of asking for a connection; exactly one of these is called, maybe before {@link #borrow} returns. */
    interface Applicant {
        void lent(UpstreamConnection connection);

        void connectFailed(String reason);
    }

    private final Backend backend;
    private final Worker worker;
    private final byte[] authority;
    private final Bootstrap bootstrap;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private final Set<UpstreamConnection> open = new HashSet<>();
    private volatile int idleCount;
    private boolean retired;

    /**
     * A pool without connections.
     *
     * @param bootstrap makes channels on the pool's event loop
     */
    UpstreamPool(Backend backend, Worker worker, Bootstrap bootstrap) {
        this.backend = backend;
        this.worker = worker;
        this.authority = backend.address().toString().getBytes(StandardCharsets.US_ASCII);
        this.bootstrap = bootstrap;
        backend.connections().join(this);
    }

    /** What goes through the backend. */
    Traffic traffic() {
        return backend.traffic();
    }

    /** The backend's host and port, for a request that names none. */
    byte[] authority() {
        return authority;
    }

    /**
     * Asks for a connection.
     *
     * @param fresh whether only a new one will do: one that has waited may be dead
     */
    void borrow(boolean fresh, Applicant applicant) {
        UpstreamConnection waiting = fresh ? null : newestIdle();
        if (waiting != null) {
            applicant.lent(waiting);
        } else {
            connect(applicant);
        }
    }

    private @Nullable UpstreamConnection newestIdle() {
        UpstreamConnection connection = idle.pollLast();
        while (connection != null && !connection.isActive()) {
            connection = idle.pollLast();
        }
        idleCount = idle.size();
        return connection;
    }

    @Override
    public int idle() {
        return idleCount;
    }

    @Override
    public void closeOldest() {
        worker.execute(() -> {
            UpstreamConnection oldest = idle.pollFirst();
            idleCount = idle.size();
            if (oldest != null) {
                oldest.close();
            }
        });
    }

    private void connect(Applicant applicant) {
        backend.connections().opening(backend.load().limit());
        var connection = new UpstreamConnection(this, worker);
        ChannelFuture connect = bootstrap.clone().handler(connection).connect(backend.socketAddress());
        connect.addListener(done -> {
            worker.clock().tick();
            if (done.isSuccess()) {
                backend.connected();
                open.add(connection);
                applicant.lent(connection);
            } else {
                backend.connections().closed();
                backend.connectFailed(String.valueOf(done.cause().getMessage()));
                applicant.connectFailed(String.valueOf(done.cause().getMessage()));
            }
        });
    }

    void takeBack(UpstreamConnection connection) {
        if (retired) {
            connection.close();
        } else {
            idle.addLast(connection);
            idleCount = idle.size();
        }
    }

    void forget(UpstreamConnection connection) {
        if (open.remove(connection)) {
            backend.connections().closed();
        }
        idle.remove(connection);
        idleCount = idle.size();
    }

    /** Closes what waits; what is lent closes when it is given back. */
    void retire() {
        retired = true;
        List.copyOf(idle).forEach(UpstreamConnection::close);
    }
}
