// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.FrameServerLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A storage node's part in the file table: it stands for election, serves the table on a port of its own while it leads, and
 * holds the tail of the log for who else does.
 * The port is not the blocks': a change waits for the log, and must not keep a connection's few block requests waiting.
 *
 * <p>Thread-safe.
 */
public final class TableNode implements AutoCloseable {
    /** A client's changes form batches only if many of them can be under way. */
    private static final FrameServerLimits LIMITS = new FrameServerLimits(1024, 256);

    /** A third of the shortest time in which the directory gives a silent leader up. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Read in a second or two. */
    private static final long LOG_BYTES = 4L << 20;

    /** Names that go with a lease on a directory: some 50 kB. Of larger ones clients look at parts. */
    private static final int LEASE_NAMES = 1000;

    /** Other nodes that hold an entry before its answer is given. */
    private static final int COPIES = 1;

    private static final Duration LAST_STEPS = Duration.ofSeconds(5);

    private final TableEnsemble ensemble;
    private final NodeId self;
    private final ExecutorService lane;
    private final TableTail tail;
    private final TableLeader leader;
    private final FrameServer server;
    private final FrameClient client;
    private final TableCandidacy candidacy;

    private TableNode(
            TableEnsemble ensemble,
            Transport transport,
            NodeId self,
            NodeAddress bind,
            Consumer<TableStatus> listener) {
        this.ensemble = ensemble;
        this.self = self;
        this.lane = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("file-table").daemon().factory());
        this.client = new FrameClient(transport);
        this.tail = new TableTail();
        this.leader = new TableLeader(site(), status -> told(status, listener));
        this.candidacy = new TableCandidacy(ensemble.home(), self, leader, Delay.system());
        this.server = FrameServer.bind(transport, bind, new TableService(leader, tail), LIMITS)
                .join();
    }

    private TableSite site() {
        Cluster home = ensemble.home();
        return new TableSite(
                self,
                home.store(),
                lane,
                Delay.system(),
                MonotonicClock.system(),
                InstantSource.system(),
                TableBounds.ofHeap(Runtime.getRuntime().maxMemory()),
                LOG_BYTES,
                LEASE_NAMES,
                LEASE,
                new Tails(tail, WireTailLink.open(home, client), COPIES));
    }

    /**
     * Binds the port. Cluster and transport stay the caller's.
     *
     * @param listener is told the status when it changes; must not block
     */
    public static TableNode bind(
            TableEnsemble ensemble,
            Transport transport,
            NodeId self,
            NodeAddress bind,
            Consumer<TableStatus> listener) {
        return new TableNode(ensemble, transport, self, bind, listener);
    }

    /**
     * Stands for election, once it is sure that the table is in the ensemble of this node.
     *
     * @return done when it stands, which is when ZooKeeper has answered; fails with {@link io.albm.core.config.ConfigException} if
     *     the table is in another one
     */
    public CompletableFuture<Void> stand() {
        return new TableClaim(ensemble, Delay.system(), lane::isShutdown).make().thenRun(this::elect);
    }

    private synchronized void elect() {
        if (!lane.isShutdown()) {
            TailOpening.open(tail, ensemble.home().store(), Delay.system(), lane::isShutdown);
            candidacy.stand();
        }
    }

    private void told(TableStatus status, Consumer<TableStatus> listener) {
        listener.accept(status);
        if (status.trouble() != null) {
            candidacy.failed();
        }
    }

    /** Where it serves. */
    public NodeAddress address() {
        return server.address();
    }

    public TableStatus status() {
        return leader.status();
    }

    /** Calls that are not answered yet. */
    public int open() {
        return leader.open();
    }

    /** Takes no new call; done when the old ones are answered. */
    public CompletableFuture<Void> drain() {
        return server.drain();
    }

    /** Makes durable what it has answered, as far as that can be done in five seconds, and then ends as {@link #stop} does. */
    @Override
    public void close() {
        if (!lane.isShutdown()) {
            leader.retire()
                    .completeOnTimeout(null, LAST_STEPS.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            stop();
        }
    }

    /** Stops answering before it resigns, so that no old memory answers beside the next leader. */
    synchronized void stop() {
        if (lane.isShutdown()) {
            return;
        }
        candidacy.end();
        leader.close();
        lane.shutdown();
        try {
            if (!lane.awaitTermination(LAST_STEPS.toMillis(), TimeUnit.MILLISECONDS)) {
                lane.shutdownNow();
            }
        } catch (InterruptedException e) {
            lane.shutdownNow();
            Thread.currentThread().interrupt();
        }
        candidacy.resign();
        server.close();
        client.close();
    }
}
