// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import io.albm.core.net.Transport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for documents as a crowd would: requests are due at Poisson arrivals whether or not earlier ones have
 * been answered, documents are popular by Zipf's law, and every body is compared with the document's digest.
 *
 * <p>An open loop is what makes a stall visible. A client that waits for an answer before it asks again sends least when
 * the server is worst; here the requests of a stall queue up, and their latency counts from when they were due.
 *
 * <p>All state belongs to one event loop; no lock, no queue between threads. Requests wait for one of a bounded number of
 * connections; a request that waited out its timeout fails, and one that finds {@value #MAX_WAITING} before it fails at
 * once. A failed request is not tried again: hiding failures is what a load must not do.
 */
public final class OpenLoopLoad implements AutoCloseable {
    private static final int MAX_WAITING = 10_000;

    private final LoadSettings settings;
    private final List<Document> byPopularity;
    private final Zipf popularity;
    private final SplittableRandom random;
    private final Transport transport;
    private final EventLoop loop;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    private final Tally tally = new Tally();
    private final Deque<Fetch> waiting = new ArrayDeque<>();
    private final Deque<LoadConnection> idle = new ArrayDeque<>();
    private final Set<Fetch> inFlight = new HashSet<>();
    private int connections;
    private long nextDueNanos;
    private boolean stopping;

    private OpenLoopLoad(LoadSettings settings, DocumentTree documents, Transport transport) {
        this.settings = settings;
        this.byPopularity = documents.shuffled(settings.seed());
        this.popularity = new Zipf(byPopularity.size());
        this.random = new SplittableRandom(settings.seed());
        this.transport = transport;
        this.loop = transport.eventLoops().next();
    }

    /**
     * Starts to send.
     *
     * @param documents at least one
     */
    public static OpenLoopLoad start(LoadSettings settings, DocumentTree documents) {
        if (documents.documents().isEmpty()) {
            throw new IllegalArgumentException(documents.root() + ": no document to ask for");
        }
        OpenLoopLoad load = new OpenLoopLoad(settings, documents, Transport.open(1));
        load.loop.execute(load::begin);
        return load;
    }

    /** What has been seen so far. */
    public LoadReport snapshot() {
        return onLoop();
    }

    /** Sends no more, waits until all requests are answered or timed out, and tells what was seen. */
    public LoadReport stop() {
        loop.execute(() -> {
            stopping = true;
            finishIfDrained();
        });
        drained.join();
        return onLoop();
    }

    @Override
    public void close() {
        transport.close();
    }

    private LoadReport onLoop() {
        Future<LoadReport> report = loop.submit(tally::report);
        return report.syncUninterruptibly().getNow();
    }

    private void begin() {
        nextDueNanos = System.nanoTime();
        arrive();
    }

    /** A late loop sends all that is due by now; each counts from its own moment. */
    private void arrive() {
        long now = System.nanoTime();
        while (!stopping && nextDueNanos <= now) {
            due(new Fetch(byPopularity.get(popularity.next(random)), nextDueNanos));
            nextDueNanos += pauseNanos();
        }
        if (!stopping) {
            schedule(this::arrive, nextDueNanos - System.nanoTime());
        }
    }

    /** Exponential gaps make Poisson arrivals. */
    private long pauseNanos() {
        double seconds = -Math.log(1 - random.nextDouble()) / settings.requestsPerSecond();
        return (long) (seconds * 1e9);
    }

    private void due(Fetch fetch) {
        if (waiting.size() >= MAX_WAITING) {
            tally.failed(FailureKind.OVERFLOW, fetch.document().path(), waiting.size() + " requests wait");
            return;
        }
        inFlight.add(fetch);
        waiting.add(fetch);
        long left = fetch.dueNanos() + settings.timeout().toNanos() - System.nanoTime();
        schedule(() -> fail(fetch, FailureKind.TIMEOUT, "no whole response within " + settings.timeout()), left);
        dispatch();
    }

    private void dispatch() {
        while (!waiting.isEmpty()) {
            if (waiting.getFirst().isDone()) {
                waiting.removeFirst();
            } else if (!idle.isEmpty()) {
                idle.removeLast().send(waiting.removeFirst());
            } else if (connections < settings.connections()) {
                connect(waiting.removeFirst());
            } else {
                return;
            }
        }
    }

    private void connect(Fetch first) {
        connections++;
        LoadConnection connection = new LoadConnection(settings.server().toString(), new Outcomes());
        ChannelFuture connecting = transport
                .clientBootstrap(loop)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpClientCodec(), connection);
                    }
                })
                .connect(settings.server().host(), settings.server().port());
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                connection.send(first);
            } else {
                fail(first, FailureKind.CONNECT, String.valueOf(done.cause().getMessage()));
            }
        });
        connecting.channel().closeFuture().addListener(closed -> {
            connections--;
            dispatch();
        });
    }

    private void fail(Fetch fetch, FailureKind kind, String detail) {
        if (fetch.finish()) {
            tally.failed(kind, fetch.document().path(), detail);
            inFlight.remove(fetch);
            finishIfDrained();
        }
    }

    private void finishIfDrained() {
        if (stopping && inFlight.isEmpty()) {
            drained.complete(null);
        }
    }

    private void schedule(Runnable task, long nanos) {
        loop.schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS).isDone();
    }

    /** Judges what came back. */
    private final class Outcomes implements LoadConnection.Outcome {
        @Override
        public void complete(LoadConnection connection, Fetch fetch, boolean reusable) {
            judge(fetch);
            if (reusable) {
                idle.add(connection);
                dispatch();
            } else {
                connection.close();
            }
        }

        @Override
        public void cut(LoadConnection connection, @Nullable Fetch fetch, String reason) {
            idle.remove(connection);
            if (fetch != null) {
                fail(fetch, FailureKind.CUT, reason + " after " + fetch.received() + " bytes");
            }
        }

        private void judge(Fetch fetch) {
            if (fetch.status() != 200) {
                fail(fetch, FailureKind.STATUS, "status " + fetch.status());
            } else if (!fetch.bodyIsRight()) {
                fail(fetch, FailureKind.WRONG_BODY, fetch.received() + " bytes that are not the document's");
            } else if (fetch.finish()) {
                long latencyNanos = System.nanoTime() - fetch.dueNanos();
                tally.answered(TimeUnit.NANOSECONDS.toMicros(latencyNanos), fetch.received());
                inFlight.remove(fetch);
                finishIfDrained();
            }
        }
    }
}
