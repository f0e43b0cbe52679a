// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves routes over HTTP/1.1 with keep-alive. Everything is bounded: connections (256), request line (4 KiB), headers
 * (16 KiB), body (64 KiB), and one request at a time per connection. Routes match whole paths; one that ends in {@code /}
 * matches what is below it, too, the longest first. Routes may be added while it serves. Thread-safe.
 */
public final class WebServer implements AutoCloseable {

    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_LINE = 4 * 1024;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final int MAX_CHUNK = 8 * 1024;
    private static final int MAX_BODY = 64 * 1024;
    private static final int IDLE_SECONDS = 60;

    private final Transport transport;
    private final Map<String, Route> routes = new ConcurrentHashMap<>();
    private final Map<String, String> commonHeaders;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listener;

    /**
     * Binds at once.
     *
     * @param commonHeaders sent with every answer
     * @throws IOException if the address cannot be had
     */
    public WebServer(Transport transport, NodeAddress address, Map<String, String> commonHeaders) throws IOException {
        this.transport = transport;
        this.commonHeaders = Map.copyOf(commonHeaders);
        this.listener = Transport.listen(
                transport.serverBootstrap().childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                }),
                address);
    }

    /** Adds a route whose handler may block: it runs on a virtual thread. */
    public void route(String path, WebHandler handler) {
        routes.put(path, new Route.Blocking(handler));
    }

    /** Adds a route whose handler answers from memory, on the event loop: it works when all else is overloaded. */
    public void routeInline(String path, WebHandler handler) {
        routes.put(path, new Route.Inline(handler));
    }

    /** Adds a stream of server-sent events. */
    public void routeEvents(String path, EventStream stream) {
        routes.put(path, new Route.Events(stream));
    }

    /** Where the server really listens. */
    public NodeAddress address() {
        return Transport.localAddress(listener);
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    private void accept(Channel channel) {
        connections.add(channel);
        if (connections.size() > MAX_CONNECTIONS) {
            channel.close();
            return;
        }
        channel.pipeline()
                .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                .addLast(new HttpServerCodec(MAX_LINE, MAX_HEADERS, MAX_CHUNK))
                .addLast(new HttpObjectAggregator(MAX_BODY, true))
                .addLast(new FlowControlHandler())
                .addLast(new WebConnection(this::find, commonHeaders, transport.blocking()));
    }

    private Route find(String path) {
        var exact = routes.get(path);
        for (int slash = path.lastIndexOf('/'); exact == null && slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
            // "/" stands for itself only: a page is no answer to a path that does not exist.
            exact = slash == 0 ? null : routes.get(path.substring(0, slash + 1));
        }
        return exact == null ? Route.NOT_FOUND : exact;
    }
}
