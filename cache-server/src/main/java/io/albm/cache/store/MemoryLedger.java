// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.WorkingMemory;
import java.time.Duration;
import java.util.List;

/**
 * The books of the store's memory. Every byte is entered before it is allocated and struck out when it is freed, in
 * one of two accounts, each with a bound that holds at every moment:
 *
 * <ul>
 *   <li><em>resident</em>: documents that the policy keeps, with what the heap has of them for as long;
 *   <li><em>transit</em>: everything else: being read or compressed, served uncached, streamed, or evicted while responses
 *       still send it.
 * </ul>
 *
 * <p>An eviction cannot wait for the responses that use a document, so it moves bytes to transit by decree. The bound
 * holds all the same, because an admission first reserves the most that its evictions can move: less than the
 * newcomer's own size (which leaves transit) plus one document of the largest size. Where that room is not free, the
 * newcomer is served uncached.
 *
 * <p>Thread-safe; each operation is O(1), or O(victims).
 */
public final class MemoryLedger implements WorkingMemory {

    /**
     * A moment's books, in bytes.
     *
     * @param resident bytes of documents that the policy keeps, and of what the heap has of them
     * @param heap how many of these are on the heap, estimated from above; see {@link Resident#heapBytes}
     * @param transit bytes of everything else that is allocated or about to be
     * @param bounds most of both
     */
    public record Balance(long resident, long heap, long transit, MemoryBounds bounds) {}

    private MemoryBounds bounds;
    private long resident;
    private long heap;
    private long transit;

    public MemoryLedger(MemoryBounds bounds) {
        this.bounds = bounds;
    }

    public synchronized Balance balance() {
        return new Balance(resident, heap, transit, bounds);
    }

    /**
     * Books the {@linkplain #evict evictions} that make room for other bounds, and those bounds, at once: nobody gets in between what
     * only the old ones have room for.
     */
    synchronized void rebound(List<Document> victims, long headroom, MemoryBounds changed) {
        evict(victims, headroom);
        assert resident <= changed.residentBytes() && transit <= changed.transitBytes() : balance() + " " + changed;
        bounds = changed;
        notifyAll();
    }

    public synchronized MemoryBounds bounds() {
        return bounds;
    }

    @Override
    public long largestKeptBytes() {
        return bounds().largestKeptBytes();
    }

    /** Enters bytes in transit if there is room now. */
    @Override
    public synchronized boolean tryReserve(long bytes) {
        if (bytes > bounds.transitBytes() - transit) {
            return false;
        }
        transit += bytes;
        return true;
    }

    /** Enters bytes in transit, after waiting for room for at most {@code patience}. Blocks: virtual threads only. */
    public synchronized boolean reserve(long bytes, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!tryReserve(bytes)) {
            long left = deadline - System.nanoTime();
            if (bytes > bounds.transitBytes() || left <= 0) {
                return false;
            }
            wait(1 + left / 1_000_000);
        }
        return true;
    }

    /** Strikes out bytes in transit. */
    @Override
    public synchronized void free(long bytes) {
        transit -= bytes;
        assert transit >= 0 : transit;
        notifyAll();
    }

    /** Strikes out a document, whichever account it is in. Called once, when its last holder lets go. */
    synchronized void free(Document document) {
        if (document.resident) {
            strikeOut(document);
        } else {
            free(document.bytes());
        }
    }

    /**
     * Books an admission in one step: victims leave the resident account, to nothing or to transit, and the newcomer
     * takes their place.
     *
     * @param heapBytes that it takes beside its own
     * @param headroom bytes that the caller reserved for the victims still in use; struck out here
     */
    synchronized void exchange(Document newcomer, long heapBytes, List<Document> victims, long headroom) {
        evict(victims, headroom);
        newcomer.resident = true;
        newcomer.heapBytes = heapBytes;
        transit -= newcomer.bytes();
        resident += newcomer.bytes() + heapBytes;
        heap += heapBytes;
        assert resident <= bounds.residentBytes() : resident;
    }

    /**
     * Books evictions: victims leave the resident account, to nothing or to transit.
     *
     * @param headroom bytes that the caller reserved for the victims still in use; struck out here
     */
    synchronized void evict(List<Document> victims, long headroom) {
        victims.forEach(this::letGo);
        free(headroom);
    }

    /**
     * Books the loss of a document that changed on disk.
     *
     * @param headroom its size, reserved by the caller; struck out here
     */
    synchronized void drop(Document document, long headroom) {
        letGo(document);
        free(headroom);
    }

    /** Gives up the store's own reference. The last holder may let go at the same time: it waits for this monitor. */
    private void letGo(Document document) {
        if (!document.release()) {
            document.resident = false;
            strikeOut(document);
            transit += document.bytes();
        }
    }

    private void strikeOut(Document kept) {
        resident -= kept.bytes() + kept.heapBytes;
        heap -= kept.heapBytes;
    }
}
