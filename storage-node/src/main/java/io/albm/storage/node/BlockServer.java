// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.FrameServerLimits;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Blocks behind a port: of a node that is part of a cluster, and of one that is not, for measurements. Thread-safe.
 */
public final class BlockServer {
    /** Eight requests per connection: beyond, the node stops reading and TCP pushes back. Blocks are bounded by credit. */
    private static final FrameServerLimits LIMITS = new FrameServerLimits(256, 8);

    private BlockServer() {}

    /**
     * Serves the blocks of a directory, without a cluster: who writes must know where it is.
     *
     * @param transport on whose event loops it runs; stays the caller's
     * @param address where it listens; port 0 takes any free one
     * @param receiveMemory bytes of blocks that are in memory, or that clients were told they may send, at most
     */
    public static FrameServer open(Transport transport, NodeAddress address, Path directory, long receiveMemory)
            throws IOException {
        LocalDisk disk = new LocalDisk(directory);
        BlockStore store = new BlockStore(disk, disk.totalBytes(), 0, transport.blocking());
        CreditDesk desk = new CreditDesk(receiveMemory, new CreditCounters());
        CreditService credits = new CreditService(desk, MonotonicClock.system(), transport.eventLoops());
        return bind(transport, address, store, credits, new BackgroundTurns());
    }

    static FrameServer bind(
            Transport transport,
            NodeAddress address,
            BlockStore store,
            CreditService credits,
            BackgroundTurns background) {
        BlockService service =
                new BlockService(store, credits, background, transport.blocking(), transport.allocator());
        return FrameServer.bind(transport, address, service, LIMITS).join();
    }
}
