// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.HeadWriter;
import io.albm.core.http.RequestHead;
import io.albm.distributor.http.AccessLine;
import io.albm.distributor.http.Client;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One event loop's lines of the access log that are not handed over yet: a block of some kilobytes, or what came within
 * {@value #FLUSH_MILLIS} ms. Confined to its event loop.
 */
final class AccessLines {
    private static final int BLOCK_BYTES = 32 << 10;
    private static final int FLUSH_MILLIS = 200;

    private final AccessLog log;
    private final EventExecutor loop;
    private final AccessLine format;
    private final HeadWriter block = new HeadWriter();
    private int lines;

    AccessLines(AccessLog log, EventExecutor loop) {
        this.log = log;
        this.loop = loop;
        this.format = new AccessLine(log.format());
    }

    void add(RequestHead request, Client client, AccessLine.End end) {
        format.write(request, client, end, block);
        if (lines++ == 0) {
            var _ = loop.schedule(this::handOver, FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (block.length() >= BLOCK_BYTES) {
            handOver();
        }
    }

    void handOver() {
        if (lines > 0) {
            log.offer(block.copy(), lines);
            block.clear();
            lines = 0;
        }
    }
}
