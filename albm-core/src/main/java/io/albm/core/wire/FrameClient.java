// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.albm.core.net.SendPacing;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Calls other nodes. Calls to one address share a connection per event loop and are answered in any order; a call made on
 * an event loop of the transport stays on it.
 *
 * <p>Every call ends: with its answer, with the error frame the peer sent, or with a {@link WireException} of its own:
 * {@link WireCode#BUSY} at once if too much is waiting already, {@link WireCode#DEADLINE_EXCEEDED} when its time is up,
 * {@link WireCode#UNAVAILABLE} if the node cannot be reached or the connection breaks. Only {@code BUSY} says that the
 * work was surely not done. Connections are made on the first call and again on the first call after a loss; a node that
 * refused a connection is not asked again for 200 ms. Thread-safe, never blocks.
 */
public final class FrameClient implements AutoCloseable {

    /** @param paced whether for bodies to an address that has a rate */
    private record Route(NodeAddress to, EventLoop loop, boolean paced) {}

    private final Transport transport;
    private final FrameClientLimits limits;
    private final ConcurrentHashMap<Route, ClientConnection> connections = new ConcurrentHashMap<>();

    /** Bytes per second, of addresses that have a rate. */
    private final ConcurrentHashMap<NodeAddress, Long> rates = new ConcurrentHashMap<>();

    private final AtomicLong requestIds = new AtomicLong();
    private volatile boolean closed;

    public FrameClient(Transport transport) {
        this(transport, FrameClientLimits.DEFAULT);
    }

    public FrameClient(Transport transport, FrameClientLimits limits) {
        this.transport = transport;
        this.limits = limits;
    }

    /**
     * Sends a request.
     *
     * @param header the request's fields; becomes the client's, released in every case. To send one buffer to several
     *     nodes, give each a {@code retainedDuplicate()}
     * @param body bulk bytes, owned likewise
     * @param deadline how long to wait for the answer, connecting included; 1 ms to 24 days
     * @return the answer, whose buffers the receiver releases
     */
    public CompletableFuture<Frame> call(NodeAddress to, int type, ByteBuf header, ByteBuf body, Duration deadline) {
        return call(to, this::loop, type, header, body, deadline);
    }

    /**
     * As {@link #call}, on one loop after the other, also when called on a loop: for bulk bytes, whose copying keeps a loop
     * busy. Who asks for the next ones when some have come would have one loop copy all of them.
     */
    public CompletableFuture<Frame> callOnNextLoop(
            NodeAddress to, int type, ByteBuf header, ByteBuf body, Duration deadline) {
        return call(to, transport.eventLoops()::next, type, header, body, deadline);
    }

    private CompletableFuture<Frame> call(
            NodeAddress to, Supplier<EventLoop> loop, int type, ByteBuf header, ByteBuf body, Duration deadline) {
        boolean paced = body.isReadable() && rates.containsKey(to);
        Route route = paced ? paced(to) : new Route(to, loop.get(), false);
        var call = call(type, header, body, deadline);
        route(route, call);
        return call.answer();
    }

    /**
     * Spaces the bodies that are sent to an address from now on, until that is changed; see {@link SendPacing}. Meanwhile they
     * share one connection, in their order: of several, each would have a rate of its own. Calls without a body have others, which are
     * not spaced, and do not wait behind them.
     *
     * @param bytesPerSecond at most, 0 for any
     */
    public void pace(NodeAddress to, long bytesPerSecond) {
        Long before = bytesPerSecond == 0 ? rates.remove(to) : rates.put(to, bytesPerSecond);
        ClientConnection connection = connections.get(paced(to));
        if (connection != null && bytesPerSecond != (before == null ? 0 : before)) {
            connection.pace(bytesPerSecond);
        }
    }

    /** Asks a node whether it is alive. */
    public CompletableFuture<Void> ping(NodeAddress to, Duration deadline) {
        return call(to, Frame.PING, Unpooled.EMPTY_BUFFER, Unpooled.EMPTY_BUFFER, deadline)
                .thenAccept(Frame::release);
    }

    /** Fails every pending call and closes every connection. */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(ClientConnection::close);
    }

    private PendingCall call(int type, ByteBuf header, ByteBuf body, Duration deadline) {
        try {
            long millis = Math.max(1, deadline.toMillis());
            return new PendingCall(
                    new Frame(type, requestIds.incrementAndGet(), Math.toIntExact(millis), header, body));
        } catch (RuntimeException e) {
            header.release();
            body.release();
            throw e;
        }
    }

    private void route(Route route, PendingCall call) {
        if (closed) {
            call.refuse(new WireException(WireCode.UNAVAILABLE, "this client is closed"));
            return;
        }
        connections.computeIfAbsent(route, this::connection).submit(call);
    }

    private ClientConnection connection(Route route) {
        ClientConnection made =
                new ClientConnection(transport, route.loop(), route.to(), limits, new ClientConnection.Owner() {
                    @Override
                    public void retired(ClientConnection connection) {
                        connections.remove(route, connection);
                    }

                    @Override
                    public void unsent(PendingCall call) {
                        route(route, call);
                    }
                });
        if (route.paced()) {
            made.pace(rates.getOrDefault(route.to(), 0L));
        }
        return made;
    }

    /** The one for all bodies to an address that has a rate. */
    private Route paced(NodeAddress to) {
        List<EventLoop> loops = new ArrayList<>();
        transport.eventLoops().forEach(loop -> loops.add((EventLoop) loop));
        return new Route(to, loops.get(Math.floorMod(to.hashCode(), loops.size())), true);
    }

    private EventLoop loop() {
        for (EventExecutor loop : transport.eventLoops()) {
            if (loop.inEventLoop()) {
                return (EventLoop) loop;
            }
        }
        return transport.eventLoops().next();
    }
}
