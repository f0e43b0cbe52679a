// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks every backend, again and again, for its check path: each time by a new connection, since accepting is the first
 * thing that a sick server stops. An answer below 500 is a good one; a server that does not have the page is not ill.
 * Where the backends' protocol is not known, accepting is enough.
 *
 * <p>One check of a backend at a time. Confined to its event loop, which has to be the directory's.
 */
public final class HealthProber {
    private static final int FIRST_SERVER_ERROR = 500;

    private final BackendDirectory directory;
    private final Bootstrap bootstrap;
    private final Set<Backend> underWay = new HashSet<>();

    /** A prober on that loop; {@link #probeAll} makes the checks. */
    public HealthProber(BackendDirectory directory, Bootstrap clients, EventLoop loop) {
        this.directory = directory;
        this.bootstrap = clients.clone(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        directory.settings().checkTimeout().toMillis())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpClientCodec());
                    }
                });
    }

    /** Starts a check of every backend that is not being checked. */
    public void probeAll() {
        directory.backends().stream().filter(underWay::add).forEach(this::probe);
    }

    private void probe(Backend backend) {
        var check = new Check(backend);
        attempt(check, () -> {
            ChannelFuture connect = bootstrap.connect(backend.socketAddress());
            connect.addListener(done -> attempt(check, () -> connected(connect, check)));
        });
    }

    /** A check that cannot be made has failed; it would be under way for ever, and no other one of its backend be made. */
    private static void attempt(Check check, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            check.unanswered("health check cannot be made: " + e);
        }
    }

    private void connected(ChannelFuture connect, Check check) {
        if (!connect.isSuccess()) {
            check.unanswered(String.valueOf(connect.cause().getMessage()));
            return;
        }
        check.channel = connect.channel();
        if (directory.settings().checksByConnecting()) {
            check.end(() -> directory.checkPassed(check.backend));
        } else {
            ask(connect.channel(), check);
        }
    }

    private void ask(Channel channel, Check check) {
        channel.pipeline().addLast(check);
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.GET, directory.settings().checkPath());
        request.headers()
                .set(HttpHeaderNames.HOST, check.backend.address().toString())
                .set(HttpHeaderNames.USER_AGENT, "albm-health-check")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        channel.writeAndFlush(request, channel.voidPromise());
        Duration bound = directory.settings().checkTimeout();
        var timeout = channel.eventLoop()
                .schedule(
                        () -> check.unanswered("no answer to a health check within " + bound),
                        bound.toMillis(),
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> timeout.cancel(false));
    }

    /** Reads the head of the answer and closes. */
    private final class Check extends SimpleChannelInboundHandler<HttpObject> {
        private final Backend backend;
        private @Nullable Channel channel;
        private boolean over;

        Check(Backend backend) {
            this.backend = backend;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpResponse response) {
                judge(response);
            }
        }

        private void judge(HttpResponse response) {
            HttpResponseStatus status = response.status();
            if (response.decoderResult().isFailure()) {
                unanswered("malformed answer to a health check");
            } else if (status.code() < FIRST_SERVER_ERROR) {
                end(() -> directory.checkPassed(backend));
            } else {
                end(() -> directory.checkAnsweredBadly(backend, "health check answered " + status.code()));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            unanswered("connection closed during a health check");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            unanswered(String.valueOf(cause.getMessage()));
        }

        void unanswered(String fault) {
            end(() -> directory.checkUnanswered(backend, fault));
        }

        private void end(Runnable verdict) {
            if (over) {
                return;
            }
            over = true;
            underWay.remove(backend);
            if (channel != null) {
                channel.close();
            }
            verdict.run();
        }
    }
}
