// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to the origin: TCP, and TLS if it is spoken to with that, each within the connect timeout. Confined to
 * the bootstrap's event loop.
 */
final class Connector {

    /** Who wants a connection. */
    interface Asker {

        void connected();

        void failed(UpstreamFailure failure);
    }

    private final Origin origin;
    private final Bootstrap bootstrap;
    private final int timeoutMillis;
    private final Reach reach;

    Connector(OriginSettings settings, Bootstrap bootstrap, Reach reach) {
        origin = settings.origin();
        timeoutMillis = Math.toIntExact(settings.connectTimeout().toMillis());
        this.bootstrap = bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis);
        this.reach = reach;
    }

    /** @param last handler of the connection, behind what TLS needs */
    void connect(ChannelHandler last, Asker asker) {
        SslContext tls = origin.tls();
        @Nullable SslHandler secure = tls == null ? null : handler(tls);
        bootstrap
                .clone()
                .handler(initializer(secure, last))
                .connect(origin.address().host(), origin.address().port())
                .addListener((ChannelFuture tcp) -> {
                    if (tcp.isSuccess() && secure != null) {
                        secure.handshakeFuture().addListener(shaken -> tell(shaken, asker));
                    } else {
                        tell(tcp, asker);
                    }
                });
    }

    private SslHandler handler(SslContext tls) {
        SslHandler handler = OriginTls.handler(tls, origin.address());
        handler.setHandshakeTimeoutMillis(timeoutMillis);
        return handler;
    }

    private static ChannelInitializer<Channel> initializer(@Nullable SslHandler secure, ChannelHandler last) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (secure != null) {
                    channel.pipeline().addLast(secure);
                }
                channel.pipeline().addLast(last);
            }
        };
    }

    private void tell(Future<?> done, Asker asker) {
        if (done.isSuccess()) {
            reach.reached();
            asker.connected();
        } else {
            UpstreamFailure failure = UpstreamFailure.unreachable(OriginTls.reason(done.cause()));
            reach.unreachable(failure.reason());
            asker.failed(failure);
        }
    }
}
