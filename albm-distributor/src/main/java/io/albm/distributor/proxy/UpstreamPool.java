// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.Backend;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
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

    private static final int MAX_RESPONSE_HEAD_BYTES = 64 << 10;
    private static final int MAX_CHUNK_BYTES = 64 << 10;

    private final Backend backend;
    private final ProxySettings settings;
    private final MonotonicClock clock;
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
    UpstreamPool(
            Backend backend, ProxySettings settings, MonotonicClock clock, int maxConnections, Bootstrap bootstrap) {
        this.backend = backend;
        this.settings = settings;
        this.clock = clock;
        this.maxConnections = maxConnections;
        this.bootstrap = bootstrap.clone().handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                initialize(channel);
            }
        });
    }

    private void initialize(Channel channel) {
        var decoding = new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_RESPONSE_HEAD_BYTES)
                .setMaxHeaderSize(MAX_RESPONSE_HEAD_BYTES)
                .setMaxChunkSize(MAX_CHUNK_BYTES);
        channel.pipeline().addLast("http", new HttpClientCodec(decoding, false, false));
    }

    ProxySettings settings() {
        return settings;
    }

    MonotonicClock clock() {
        return clock;
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
        ChannelFuture connect = bootstrap.connect(backend.socketAddress());
        connect.addListener(done -> {
            connecting--;
            if (done.isSuccess()) {
                connected(connect.channel(), applicant);
            } else {
                backend.connectFailed(String.valueOf(done.cause().getMessage()));
                applicant.connectFailed(String.valueOf(done.cause().getMessage()));
            }
        });
    }

    private void connected(Channel channel, Applicant applicant) {
        backend.connected();
        var connection = new UpstreamConnection(this, channel);
        channel.pipeline().addLast("upstream", connection);
        open.add(connection);
        applicant.lent(connection);
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
