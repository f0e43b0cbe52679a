// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.View;
import io.albm.core.zookeeper.ZooKeeperFailure.ConnectionBroke;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session with ZooKeeper. Curator keeps it and makes a new one when it has expired; this class tells who asked, on
 * the dispatcher thread, and logs each change of state once.
 */
final class Session implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Session.class);
    private static final int RETRY_MILLIS = 500;

    private final String connectString;
    private final Dispatcher dispatcher;
    private final CuratorFramework curator;
    private final LastValue<ConnectionState> connection;
    private final ConnectionGate gate = new ConnectionGate();
    private final List<Runnable> onConnected = new CopyOnWriteArrayList<>();
    private final List<Runnable> onLost = new CopyOnWriteArrayList<>();
    private final SessionSettings settings;
    private long awaySinceNanos = System.nanoTime();

    Session(String connectString, SessionSettings settings, Dispatcher dispatcher) {
        this.connectString = connectString;
        this.dispatcher = dispatcher;
        this.settings = settings;
        int timeoutMillis = Math.toIntExact(settings.sessionTimeout().toMillis());
        this.connection = new LastValue<>(dispatcher, ConnectionState.CONNECTING);
        this.curator = CuratorFrameworkFactory.builder()
                .connectString(connectString)
                .sessionTimeoutMs(timeoutMillis)
                .connectionTimeoutMs(timeoutMillis)
                .maxCloseWaitMs(RETRY_MILLIS)
                .retryPolicy(new RetryForever(RETRY_MILLIS))
                .build();
        curator.getConnectionStateListenable().addListener((client, state) -> changed(state));
    }

    void start() {
        curator.start();
        CompletableFuture.delayedExecutor(settings.sessionTimeout().toMillis() / 2, TimeUnit.MILLISECONDS, dispatcher)
                .execute(this::complainUnlessConnected);
    }

    private void complainUnlessConnected() {
        if (connection.get() == ConnectionState.CONNECTING) {
            log.warn("ZooKeeper at {} does not answer; trying until it does", connectString);
        }
    }

    private void changed(org.apache.curator.framework.state.ConnectionState state) {
        switch (state) {
            case CONNECTED, RECONNECTED -> {
                gate.open();
                dispatcher.execute(this::connected);
            }
            case SUSPENDED -> {
                gate.shut();
                dispatcher.execute(this::suspended);
            }
            case LOST -> {
                gate.shut();
                dispatcher.execute(this::lost);
            }
            case READ_ONLY -> throw new IllegalStateException("a read-only session was never asked for");
        }
    }

    private void connected() {
        long away = Duration.ofNanos(System.nanoTime() - awaySinceNanos).toMillis();
        log.info("connected to ZooKeeper at {} after {} ms", connectString, away);
        connection.set(ConnectionState.CONNECTED);
        onConnected.forEach(Dispatcher::runSafely);
    }

    private void suspended() {
        log.warn("connection to ZooKeeper at {} lost; going on with the last view", connectString);
        awaySinceNanos = System.nanoTime();
        connection.set(ConnectionState.SUSPENDED);
    }

    private void lost() {
        log.warn("session with ZooKeeper at {} is over; membership comes back with the connection", connectString);
        connection.set(ConnectionState.LOST);
        onLost.forEach(Dispatcher::runSafely);
    }

    /** Calls the task on the dispatcher thread at every connection, and now if there is one. */
    void onConnected(Runnable task) {
        dispatcher.execute(() -> {
            onConnected.add(task);
            if (connection.get() == ConnectionState.CONNECTED) {
                task.run();
            }
        });
    }

    /** Calls the task on the dispatcher thread when the session is over. */
    void onLost(Runnable task) {
        onLost.add(task);
    }

    void forget(Runnable task) {
        dispatcher.execute(() -> {
            onConnected.remove(task);
            onLost.remove(task);
        });
    }

    View<ConnectionState> connection() {
        return connection;
    }

    Duration timeout() {
        return settings.sessionTimeout();
    }

    /** Completes once there is a connection; fails if there is none within the patience of the settings. */
    CompletableFuture<Void> connectedSoon() {
        return gate.pass(settings.patience());
    }

    /** The id of the present session, which owns the ephemeral nodes that this process creates now. */
    long id() {
        return handle().getSessionId();
    }

    /** @throws ConnectionBroke if there is no connection; nothing was sent then */
    ZooKeeper handle() {
        if (!gate.isOpen()) {
            throw new ConnectionBroke("no connection to ZooKeeper at " + connectString);
        }
        try {
            return curator.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw new ConnectionBroke("no connection to ZooKeeper at " + connectString + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        gate.shut();
        curator.close();
    }
}
