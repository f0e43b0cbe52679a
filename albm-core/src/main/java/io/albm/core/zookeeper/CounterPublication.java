// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.node.CounterReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Keeps {@code counters/<id>} at the latest report of one node. One write is on its way at most; what is published
 * meanwhile replaces what waits. The node is ephemeral, so it is written anew in a new session even without a new report.
 */
final class CounterPublication {
    private final Session session;
    private final Directory directory;
    private final Dispatcher dispatcher;
    private final String path;
    private final Repeater repeater;
    private volatile CounterReport latest;
    private @Nullable CounterReport written;
    private long writtenInSession;

    CounterPublication(Session session, Directory directory, Dispatcher dispatcher, CounterReport first) {
        this.session = session;
        this.directory = directory;
        this.dispatcher = dispatcher;
        this.path = "/counters/" + first.node();
        this.latest = first;
        this.repeater = new Repeater("counters of " + first.node(), dispatcher, this::step);
        session.onConnected(repeater::kick);
    }

    /** Kicks only while connected: otherwise the connection does. */
    void publish(CounterReport report) {
        latest = report;
        repeater.kick();
    }

    private CompletableFuture<?> step() {
        CounterReport report = latest;
        long present = session.id();
        if (report.equals(written) && writtenInSession == present) {
            return CompletableFuture.completedFuture(report);
        }
        byte[] content = CounterCodec.write(report);
        return (writtenInSession == present ? overwrite(content) : replace(content))
                .thenRunAsync(() -> wrote(report, present), dispatcher);
    }

    private void wrote(CounterReport report, long inSession) {
        written = report;
        writtenInSession = inSession;
        if (!latest.equals(report)) {
            repeater.kick();
        }
    }

    private CompletableFuture<?> overwrite(byte[] content) {
        return directory
                .set(path, content, -1)
                .<Object>thenApply(node -> node)
                .exceptionallyCompose(failure -> ZooKeeperFailure.is(failure, Code.NONODE)
                        ? directory.create(path, content, CreateMode.EPHEMERAL).thenApply(node -> node)
                        : CompletableFuture.failedFuture(failure));
    }

    /** What an earlier session of this node left would vanish with that session: it must not be written to. */
    private CompletableFuture<?> replace(byte[] content) {
        return directory
                .create(path, content, CreateMode.EPHEMERAL)
                .<Object>thenApply(node -> node)
                .exceptionallyCompose(failure -> ZooKeeperFailure.is(failure, Code.NODEEXISTS)
                        ? directory
                                .transact(List.of(
                                        directory.deleteOp(path, -1),
                                        directory.createOp(path, content, CreateMode.EPHEMERAL)))
                                .thenApply(results -> results)
                        : CompletableFuture.failedFuture(failure));
    }
}
