// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Traffic that yields to nobody: datagrams from host 0 to hosts, at a share of each one's port, in turns. Ends when it is closed, or by
 * itself after {@link #BOUND}.
 */
public final class UdpLoad implements AutoCloseable {
    /** However long a measurement hangs, its load does not. */
    static final Duration BOUND = Duration.ofMinutes(10);

    private static final int PORT = 9;
    private static final int PAYLOAD = 1400;
    private static final int FRAME = PAYLOAD + 42;
    private static final long NAP_NANOS = 100_000;

    /** What is late by more than so many datagrams a port is not made up for: that would be a burst that its buffer does not hold. */
    private static final double LATE_AT_MOST = 8;

    private final double framesPerSecond;
    private final LoadPattern pattern;
    private final List<DatagramChannel> sinks = new ArrayList<>();
    private final List<SocketAddress> targets = new ArrayList<>();
    private final DatagramChannel source;
    private final Thread thread;
    private volatile boolean ended;
    private volatile @Nullable IOException failure;

    private UdpLoad(Lab lab, List<LabHost> to, LoadPattern pattern) throws IOException {
        this.framesPerSecond = lab.shape().bytesPerSecond() * to.size() / FRAME;
        this.pattern = pattern;
        for (LabHost host : to) {
            // Nobody reads it: what comes is dropped there, and nobody is told that there is no such port.
            sinks.add(host.call(() -> DatagramChannel.open().bind(new InetSocketAddress(host.address(), PORT))));
            targets.add(new InetSocketAddress(host.address(), PORT));
        }
        this.source = lab.host(0).call(DatagramChannel::open);
        this.thread = lab.host(0).start("udp", this::run);
    }

    /** Begins. */
    public static UdpLoad start(Lab lab, List<LabHost> to, LoadPattern pattern) throws IOException {
        return new UdpLoad(lab, to, pattern);
    }

    private void run() {
        ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD);
        long began = System.nanoTime();
        long last = began;
        double due = 0;
        int next = 0;
        try {
            while (!ended && last - began < BOUND.toNanos()) {
                long now = System.nanoTime();
                due = Math.min(
                        LATE_AT_MOST * targets.size(),
                        due + (now - last) / 1e9 * framesPerSecond * pattern.shareAt(now - began));
                last = now;
                for (; due >= 1; due--) {
                    source.send(payload.clear(), targets.get(next));
                    next = (next + 1) % targets.size();
                }
                LockSupport.parkNanos(NAP_NANOS);
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    @Override
    public void close() throws IOException {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        source.close();
        for (DatagramChannel sink : sinks) {
            sink.close();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
