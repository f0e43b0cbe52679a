// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Long flows of TCP from host 0 to hosts, as many as were asked for in all, which share ports as TCP does. They end when it is closed, or
 * by themselves after {@link UdpLoad#BOUND} at the ports' rate.
 */
public final class TcpLoad implements AutoCloseable {
    private final List<TcpSink> sinks = new ArrayList<>();
    private final List<Thread> flows = new ArrayList<>();
    private final Queue<IOException> failures = new ConcurrentLinkedQueue<>();

    private TcpLoad() {}

    /** Begins. */
    public static TcpLoad start(Lab lab, List<LabHost> to, int flows) throws IOException {
        TcpLoad load = new TcpLoad();
        for (LabHost host : to) {
            load.sinks.add(TcpSink.open(host));
        }
        long bytes = (long) (lab.shape().bytesPerSecond() * UdpLoad.BOUND.toSeconds());
        for (int i = 0; i < flows; i++) {
            TcpSink sink = load.sinks.get(i % to.size());
            load.flows.add(lab.host(0).start("flow-" + i, () -> load.send(sink, lab.host(0), bytes)));
        }
        return load;
    }

    private void send(TcpSink sink, LabHost from, long bytes) {
        try {
            sink.send(from.address(), bytes);
        } catch (ClosedByInterruptException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failures.add(e);
        }
    }

    @Override
    public void close() throws IOException {
        flows.forEach(Thread::interrupt);
        for (Thread flow : flows) {
            try {
                flow.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (TcpSink sink : sinks) {
            sink.close();
        }
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
    }
}
