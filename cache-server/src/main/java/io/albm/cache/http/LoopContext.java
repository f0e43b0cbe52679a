// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.HeadPool;
import io.albm.core.http.HeadWriter;
import io.albm.core.net.LoopClock;
import io.albm.core.net.WatchdogQueue;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.time.InstantSource;

/** What one event loop has for itself, so that its connections share no lock: clock, timeouts, heads, the handler. */
final class LoopContext implements AutoCloseable {
    private final EventLoop loop;
    private final HttpSettings settings;
    private final HttpStats stats;
    private final RequestHandler handler;
    private final LoopClock clock;
    private final CommonLines lines;
    private final HeadPool heads;
    private final HeadWriter writer = new HeadWriter();
    private final PagePipe pages = new PagePipe();
    private final LoopBuffers buffers = new LoopBuffers(PooledByteBufAllocator.DEFAULT);
    private final WatchdogQueue headTimeouts;
    private final WatchdogQueue idleTimeouts;
    private final WatchdogQueue writeTimeouts;

    LoopContext(
            EventLoop loop,
            HttpSettings settings,
            HttpStats stats,
            RequestHandler handler,
            LoadLine load,
            MonotonicClock clock,
            InstantSource wallClock) {
        this.loop = loop;
        this.settings = settings;
        this.stats = stats;
        this.handler = handler;
        this.clock = new LoopClock(clock);
        lines = new CommonLines(this.clock, wallClock, load);
        heads = new HeadPool(settings.maxHeadBytes());
        headTimeouts = timeouts(settings.headTimeout());
        idleTimeouts = timeouts(settings.idleTimeout());
        writeTimeouts = timeouts(settings.writeTimeout());
    }

    private WatchdogQueue timeouts(Duration each) {
        return new WatchdogQueue(loop, clock, each);
    }

    EventLoop loop() {
        return loop;
    }

    HttpSettings settings() {
        return settings;
    }

    HttpStats stats() {
        return stats;
    }

    RequestHandler handler() {
        return handler;
    }

    LoopClock clock() {
        return clock;
    }

    CommonLines lines() {
        return lines;
    }

    HeadPool heads() {
        return heads;
    }

    /** For a head that is put together and used up within one event; whoever begins one clears it. */
    HeadWriter writer() {
        return writer;
    }

    /** For memory that the kernel sends by its pages, if it can. */
    PagePipe pages() {
        return pages;
    }

    /** For what is read and sent within one event. */
    LoopBuffers buffers() {
        return buffers;
    }

    /** For connections on which a head has begun. */
    WatchdogQueue headTimeouts() {
        return headTimeouts;
    }

    /** For connections on which no request is under way, and for bodies that are awaited. */
    WatchdogQueue idleTimeouts() {
        return idleTimeouts;
    }

    /** For connections whose client has not taken all that was sent. */
    WatchdogQueue writeTimeouts() {
        return writeTimeouts;
    }

    /** Called on the loop, when no connection of it is left. */
    @Override
    public void close() {
        pages.close();
        buffers.close();
    }
}
