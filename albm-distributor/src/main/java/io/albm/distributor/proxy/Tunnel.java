// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Watchdog;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/**
 * Two connections whose bytes go from one to the other, in both directions, until both directions have ended: what a TCP
 * frontend makes of each client, and what is left of an exchange whose protocol was switched.
 *
 * <p>A direction that ends is ended on the other side after its last byte, while the other direction goes on (half-close).
 * A connection that breaks breaks the other one, so that nobody takes a stump for a whole. Backpressure is that of the
 * write marks: whoever cannot write stops the other from reading.
 *
 * <p>Small messages go through this process, bulk takes a {@link Shortcut} where there is one. When no byte moves for the
 * tunnel timeout, both connections are closed.
 *
 * <p>Confined to the one event loop that both connections have.
 */
final class Tunnel {
    private final Worker worker;
    private final StalledClients.OnLoop stalled;
    private final Watchdog idleWatch;
    private final Traffic frontTraffic;
    private final Traffic backTraffic;
    private final Runnable onEnd;
    private final TunnelEnd front;
    private final TunnelEnd back;
    private int open = 2;

    /**
     * A tunnel whose ends have no connections yet.
     *
     * @param stalled where the client is to be found when it takes nothing
     * @param frontTraffic of the frontend
     * @param backTraffic of the backend
     * @param onEnd called once, when both connections are closed
     */
    Tunnel(Worker worker, StalledClients.OnLoop stalled, Traffic frontTraffic, Traffic backTraffic, Runnable onEnd) {
        this.worker = worker;
        this.stalled = stalled;
        this.frontTraffic = frontTraffic;
        this.backTraffic = backTraffic;
        this.idleWatch = new Watchdog(this::idledTooLong);
        this.onEnd = onEnd;
        this.front = new TunnelEnd(this);
        this.back = new TunnelEnd(this);
    }

    /** The end that goes into the client's pipeline. */
    TunnelEnd front() {
        return front;
    }

    /** The end that goes into the backend's pipeline. */
    TunnelEnd back() {
        return back;
    }

    /** Lets bytes flow, once both ends are in their pipelines. */
    void open() {
        boolean shortcut = Shortcut.isPossible(front.channel()) && Shortcut.isPossible(back.channel());
        begin(front, shortcut);
        begin(back, shortcut);
        front.flush();
        back.flush();
        moved();
    }

    private static void begin(TunnelEnd end, boolean shortcut) {
        if (shortcut) {
            BulkReads.give(end.channel(), end);
        }
        end.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        end.channel().config().setAutoRead(true);
    }

    private TunnelEnd opposite(TunnelEnd end) {
        return end == front ? back : front;
    }

    /** Whoever takes nothing of what waits for him, lets a backend wait. */
    private void moved() {
        worker.clock().tick();
        front.progress().watch();
        boolean stuck = front.channel().isActive() && !front.isWritable();
        idleWatch.arm(stuck ? stalled.tunnels() : worker.tunnelTimeouts());
    }

    private void idledTooLong() {
        if (front.progress().isMoving()) {
            idleWatch.arm();
        } else {
            close();
        }
    }

    void read(TunnelEnd from, ByteBuf bytes) {
        count(from, bytes.readableBytes());
        TunnelEnd to = opposite(from);
        to.write(bytes);
        if (from.hasBulk()) {
            to.flush();
        }
        slowDown(from, to);
        moved();
    }

    /**
     * Lets the kernel move what waits at that end.
     *
     * @return how many bytes it moved
     */
    long move(TunnelEnd from) {
        TunnelEnd to = opposite(from);
        long bytes = worker.shortcut().move(from.channel(), to.channel(), Long.MAX_VALUE);
        if (bytes > 0) {
            count(from, bytes);
            slowDown(from, to);
            moved();
        }
        return bytes;
    }

    private static void slowDown(TunnelEnd from, TunnelEnd to) {
        if (!to.isWritable()) {
            from.channel().config().setAutoRead(false);
        }
    }

    private void count(TunnelEnd from, long bytes) {
        Count way = from == front ? Count.BYTES_IN : Count.BYTES_OUT;
        frontTraffic.add(way, bytes);
        backTraffic.add(way, bytes);
    }

    void readComplete(TunnelEnd from) {
        opposite(from).flush();
    }

    void writable(TunnelEnd at) {
        moved();
        opposite(at).channel().config().setAutoRead(true);
    }

    /** No more bytes come from there. */
    void inputEnded(TunnelEnd from) {
        opposite(from).endOutput();
    }

    /** All that was to be said there is said. */
    void outputEnded() {
        if (front.hasOutputEnded() && back.hasOutputEnded()) {
            close();
        }
    }

    void closed(TunnelEnd end) {
        open--;
        opposite(end).closeWhenSent();
        if (open == 0) {
            idleWatch.disarm();
            onEnd.run();
        }
    }

    void broken(TunnelEnd end) {
        reset(opposite(end).channel());
        reset(end.channel());
    }

    private static void reset(Channel channel) {
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.close();
    }

    void close() {
        front.channel().close();
        back.channel().close();
    }
}
