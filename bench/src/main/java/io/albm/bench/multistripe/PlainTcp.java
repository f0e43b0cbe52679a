// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Lab;
import io.albm.bench.lab.LabHost;
import io.albm.bench.lab.TcpSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What no storage can be better than: all ranks send their bytes at once, a stream to each port, and nobody keeps them. */
final class PlainTcp {
    static final String NAME = "tcp-sink";

    private PlainTcp() {}

    /** Returns the seconds until the last sink has all. */
    static double send(Lab lab, Scene scene) throws IOException, InterruptedException {
        List<TcpSink> sinks = new ArrayList<>();
        for (int host : scene.storageHosts()) {
            sinks.add(TcpSink.open(lab.host(host)));
        }
        Queue<IOException> failures = new ConcurrentLinkedQueue<>();
        List<Thread> streams = new ArrayList<>();
        long began = System.nanoTime();
        for (int rank = 0; rank < Scene.RANKS; rank++) {
            for (int i = 0; i < sinks.size(); i++) {
                streams.add(start(
                        lab.host(rank + 1),
                        sinks.get((rank + i) % sinks.size()),
                        scene.rankBytes() / sinks.size(),
                        failures));
            }
        }
        for (Thread stream : streams) {
            stream.join();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        for (TcpSink sink : sinks) {
            sink.close();
        }
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
        return seconds;
    }

    private static Thread start(LabHost from, TcpSink sink, long bytes, Queue<IOException> failures)
            throws IOException {
        return from.start("stream", () -> {
            try {
                sink.send(from.address(), bytes);
            } catch (IOException e) {
                failures.add(e);
            }
        });
    }
}
