// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.awaitility.Awaitility.await;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** A client that takes so little at a time that the queue of the socket which sends to it is not a third emptier within some patience. */
public final class SlowTaker {
    private static final int SMALL_BUFFER = 64 << 10;
    private static final int PATIENCES = 5;

    private SlowTaker() {}

    /** Connects a socket that holds little, so that what it did not take stands in the sender's queue. */
    public static Socket connect(NodeAddress to) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.connect(new InetSocketAddress(to.host(), to.port()));
        return socket;
    }

    /**
     * Takes for several times the patience.
     *
     * @return how many bytes; at most 32 KiB in each tenth of the patience
     */
    public static int take(InputStream from, Duration patience) {
        long began = System.nanoTime();
        int[] taken = new int[1];
        await().atMost(patience.multipliedBy(2L * PATIENCES))
                .pollInterval(patience.dividedBy(10))
                .until(() -> {
                    taken[0] += from.readNBytes(SMALL_BUFFER / 2).length;
                    return System.nanoTime() - began
                            > patience.multipliedBy(PATIENCES).toNanos();
                });
        return taken[0];
    }
}
