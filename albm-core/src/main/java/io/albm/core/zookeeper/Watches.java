// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.Subscription;
import io.albm.core.zookeeper.ZooKeeperFailure.ConnectionBroke;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Standing watches, set again in every session. */
final class Watches {
    private static final Logger log = LoggerFactory.getLogger(Watches.class);

    private final Session session;
    private final Directory directory;

    Watches(Session session, Directory directory) {
        this.session = session;
        this.directory = directory;
    }

    /**
     * Watches a node and what is below it.
     *
     * @param onEvent gets the path relative to the watched one: "" for the node itself, "/name" for a child; called on
     *     ZooKeeper's event thread
     * @param onWatching the watch is in place in this session and events may have been missed before: read now
     */
    Subscription watch(String path, Consumer<String> onEvent, Runnable onWatching) {
        int prefix = directory.absolute(path).length();
        Watcher watcher = event -> {
            if (event.getType() != EventType.None && event.getPath() != null) {
                onEvent.accept(event.getPath().substring(prefix));
            }
        };
        Runnable set = () -> directory.watch(path, watcher).whenComplete((done, failure) -> {
            if (failure == null) {
                onWatching.run();
            } else if (!(ZooKeeperFailure.cause(failure) instanceof ConnectionBroke)) {
                log.error(
                        "cannot watch {}: {}",
                        path,
                        ZooKeeperFailure.cause(failure).getMessage());
            }
        });
        session.onConnected(set);
        return () -> {
            session.forget(set);
            directory.unwatch(path, watcher);
        };
    }
}
