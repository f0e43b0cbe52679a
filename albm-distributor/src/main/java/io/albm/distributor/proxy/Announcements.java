// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.HeadWriter;
import io.albm.core.http.RequestHead;
import io.albm.distributor.backend.Backend;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a pool's {@link WaitingRoom}, for backends that want to know what comes: each request that is sent takes
 * along what has begun to wait since its backend was told last, oldest first, a few at a time.
 *
 * <p><b>Every backend is told of everyone who waits</b>, whatever the policy: who waits goes to the first backend that has a
 * place, under {@code hash} and {@code bounded-load-hash} too, so that nobody knows whose request it will be.
 *
 * <p>Of those who wait the last {@value #KEPT} are remembered; who goes is not announced any more. While nobody waits, or
 * nothing is to be announced, a request costs one volatile read.
 *
 * <p>Thread-safe.
 */
final class Announcements {
    static final int KEPT = 1 << 10;
    static final int MOST_AT_ONCE = 16;
    static final int MOST_BYTES = 2 << 10;

    /** A longer head might grow beyond what the backend takes, which is 16 KiB for most. */
    static final int LARGEST_BEARER = 8 << 10;

    private static final byte[] NONE = {};
    private static final int SEPARATOR = 2;

    private final @Nullable Announcement[] ring = new Announcement[KEPT];
    private final Map<Backend, Long> told = new WeakHashMap<>();
    private final HeadWriter out = new HeadWriter();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean enabled;
    private long entered;

    /** Whether anything is announced from now on. */
    void enable(boolean announces) {
        enabled = announces;
    }

    /** Somebody begins to wait; null if nobody is to hear of him. To be given to {@link #leave} once. */
    @Nullable
    Announcement enter(RequestHead request) {
        Announcement announcement = enabled ? Announcement.of(request) : null;
        if (announcement != null) {
            waiting.incrementAndGet();
            add(announcement);
        }
        return announcement;
    }

    private synchronized void add(Announcement announcement) {
        ring[place(entered++)] = announcement;
    }

    private static int place(long number) {
        return (int) (number & (KEPT - 1));
    }

    /** He does not wait any more. */
    void leave(Announcement announcement) {
        announcement.end();
        waiting.decrementAndGet();
    }

    /**
     * What that backend has not been told yet, and is told by this request.
     *
     * @return a list of strings (RFC 9651); empty if there is nothing
     */
    byte[] next(Backend to, RequestHead bearer) {
        return waiting.get() > 0 && enabled && end(bearer) <= LARGEST_BEARER ? list(to, bearer) : NONE;
    }

    /** How far that backend has been told; to be asked before {@link #next}. */
    long told(Backend to) {
        return waiting.get() > 0 && enabled ? toldSoFar(to) : 0;
    }

    private synchronized long toldSoFar(Backend to) {
        return told.getOrDefault(to, 0L);
    }

    /** That backend may not have read what it was told from there on: of who waits still it is told again. */
    synchronized void unheard(Backend by, long from) {
        told.computeIfPresent(by, (backend, now) -> Math.min(now, from));
    }

    private static int end(RequestHead head) {
        return head.count() == 0 ? head.versionEnd() : head.valueEnd(head.count() - 1);
    }

    private synchronized byte[] list(Backend to, RequestHead bearer) {
        long next = Math.max(told.getOrDefault(to, 0L), entered - KEPT);
        int count = 0;
        int bytes = 0;
        out.clear();
        for (; next < entered && count < MOST_AT_ONCE; next++) {
            Announcement one = ring[place(next)];
            if (one == null || one.isOver()) {
                continue;
            }
            bytes += one.bytes() + SEPARATOR;
            if (bytes > MOST_BYTES) {
                break;
            }
            out.put(count++ == 0 ? "" : ", ");
            one.write(bearer, out);
        }
        told.put(to, next);
        return count == 0 ? NONE : out.copy().array();
    }
}
