// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.backend.Backend;
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
 * does not need grow old and are closed. Beyond its bound it lends nothing: the request goes to another backend.
 */
final class UpstreamPool {
    /** What comes of asking for a connection; exactly one of these is called, maybe before {@link #borrow} returns. */
    interface Applicant {
        void lent(UpstreamConnection connection);

        void connectFailed(String reason);

        void exhausted();
    }

    private final Backend backend;
    private final Worker worker;
    private final byte[] authority;
    private final int maxConnections;
    private final Bootstrap bootstrap;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private final Set<UpstreamConnection> open = new HashSet<>();
    private int connecting;
    private boolean retired;

    /**
     * A pool without connections.
     *
     * @param bootstrap makes channels on the pool's event loop
     */
    UpstreamPool(Backend backend, Worker worker, int maxConnections, Bootstrap bootstrap) {
        this.backend = backend;
        this.worker = worker;
        this.authority = backend.address().toString().getBytes(StandardCharsets.US_ASCII);
        this.maxConnections = maxConnections;
        this.bootstrap = bootstrap;
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
        } else if (open.size() + connecting < maxConnections || (fresh && evictIdle())) {
            connect(applicant);
        } else {
            applicant.exhausted();
        }
    }

    private @Nullable UpstreamConnection newestIdle() {
        UpstreamConnection connection = idle.pollLast();
        while (connection != null && !connection.isActive()) {
            connection = idle.pollLast();
        }
        return connection;
    }

    private boolean evictIdle() {
        UpstreamConnection oldest = idle.pollFirst();
        if (oldest != null) {
            oldest.close();
        }
        return oldest != null;
    }

    private void connect(Applicant applicant) {
        connecting++;
        var connection = new UpstreamConnection(this, worker);
        ChannelFuture connect = bootstrap.clone().handler(connection).connect(backend.socketAddress());
        connect.addListener(done -> {
            connecting--;
            worker.clock().tick();
            if (done.isSuccess()) {
                backend.connected();
                open.add(connection);
                applicant.lent(connection);
            } else {
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
        }
    }

    void forget(UpstreamConnection connection) {
        open.remove(connection);
        idle.remove(connection);
    }

    /** Closes what waits; what is lent closes when it is given back. */
    void retire() {
        retired = true;
        List.copyOf(idle).forEach(UpstreamConnection::close);
    }
}
