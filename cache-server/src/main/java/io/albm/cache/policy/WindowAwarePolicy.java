// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The default: evicts what takes the most memory for the longest time until it saves a read.
 *
 * <p>A document of {@code s} bytes whose next request is {@code D} requests away occupies {@code s x D} byte-requests for
 * the sake of one hit. The best victim is the one with the largest {@code s x D / c}, where {@code c} is what the
 * hit saves ({@link ReadCost}). With exact distances this is Belady's rule for documents of different sizes; all the rest is
 * how well {@code D} is known:
 *
 * <ul>
 *   <li>A document that a waiting request wants has an <em>exact</em> distance, from the {@link SchedulingWindow}: that is
 *       paper P2's idea. It enters as a distance, not as a pin. A large document that is wanted at the end of the window may
 *       well be a better victim than ten small ones that are wanted soon after it; pins forbid that, and cost up to 13
 *       points of hit ratio.
 *   <li>One that a request at a distributor wants is as far away as {@link AnnouncedRequests} has learned to expect, if that
 *       is nearer than what is learned of the document itself.
 *   <li>Every other document is not asked for as far as the window goes. So it is that far away, plus what {@link
 *       ReuseDistances} has learned from documents that were asked for as often, in gaps as long, and then not for as
 *       long as this one will not have been by then.
 * </ul>
 *
 * <p><b>Admission is the same comparison.</b> A newcomer is admitted only if each document that it would displace scores
 * worse than the newcomer itself; else it is served uncached, and nothing is evicted.
 *
 * <p><b>Victims are sampled.</b> Scores change with every request, so no order is kept: of 32 residents the worst goes,
 * {@value #SAMPLES} drawn from a dense array and the {@value #CARRIED} next-worst of earlier draws, which stay candidates. Where
 * several victims make room, those are spared in the end that turned out not to be needed.
 *
 * <p><b>Costs.</b> A request is O(1): one hash look-up to find its document, a few additions to what is learned, without
 * allocation but for a document that was not known. A victim is O(32). 64 bytes a document are remembered beside its name,
 * for the residents and a history of at most twice as many others ({@link KnownDocuments}). Its random source
 * has a fixed seed: the same calls have the same outcome.
 *
 * <p>The clock counts services: the number of requests that arrived, less those that still wait.
 */
final class WindowAwarePolicy<K> implements EvictionPolicy<K> {

    private static final int SAMPLES = 24;
    private static final int CARRIED = 8;
    private static final long SEED = 0x5EED;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final KnownDocuments<K> documents;
    private final ReuseDistances reuse = new ReuseDistances(random);
    private final Candidates<K> candidates = new Candidates<>(CARRIED + 1);
    private final List<Known<K>> compared = new ArrayList<>(CARRIED + 1 + SAMPLES);
    private final SchedulingWindow<K> window;
    private final ReadCost readCost;
    private long capacityBytes;
    private long residentBytes;

    WindowAwarePolicy(PolicyContext<K> context) {
        documents = new KnownDocuments<>(context.expectedDocuments(), context.nameBytes());
        window = context.window();
        readCost = context.readCost();
        capacityBytes = context.capacityBytes();
    }

    private long now() {
        return window.arrivals() - window.occupancy();
    }

    @Override
    public void arrived(K key) {
        Known<K> document = documents.find(key);
        if (document != null) {
            document.maybeAwaited = true;
        }
    }

    @Override
    public void served(K key) {
        reuse.requested(resident(key), now(), documents);
    }

    private Known<K> resident(K key) {
        Known<K> document = documents.find(key);
        if (document == null || !documents.isResident(document)) {
            throw new IllegalArgumentException(key + " is not resident");
        }
        return document;
    }

    @Override
    public boolean admit(K key, long bytes, Consumer<? super K> evicted) {
        if (isResident(key)) {
            throw new IllegalArgumentException(key + " is resident already");
        }
        if (bytes > capacityBytes) {
            return false;
        }
        Known<K> newcomer = documents.recall(key);
        newcomer.bytes = bytes;
        newcomer.maybeAwaited = true;
        long now = now();
        reuse.requested(newcomer, now, documents);
        boolean admitted =
                residentBytes <= capacityBytes - bytes || makeRoom(bytes, score(newcomer, now), now, evicted);
        if (admitted) {
            documents.admit(newcomer);
            residentBytes += bytes;
        }
        documents.trim();
        return admitted;
    }

    /** Bytes that the document takes times requests until its next one, for the cost of a read. */
    private double score(Known<K> document, long now) {
        return Math.max(1, document.bytes) * distance(document, now) / readCost.of(document.bytes);
    }

    private double distance(Known<K> document, long now) {
        if (document.maybeAwaited) {
            long next = window.nextArrival(document.key);
            if (next >= 0) {
                return Math.max(1, next - now);
            }
            double announced = window.announcedDistance(document.key);
            document.maybeAwaited = Double.isFinite(announced);
            return Math.min(announced, distanceBeyondWindow(document));
        }
        return distanceBeyondWindow(document);
    }

    private double distanceBeyondWindow(Known<K> document) {
        return window.occupancy() + reuse.distance(document, window.arrivals());
    }

    /**
     * Evicts until there is room, or nothing at all.
     *
     * @param bytes room that is needed, at most the capacity
     * @param leastScore no document that scores this or less may be evicted
     */
    private boolean makeRoom(long bytes, double leastScore, long now, Consumer<? super K> evicted) {
        long room = capacityBytes - residentBytes;
        int kept = documents.residents();
        while (room < bytes) {
            Known<K> victim = worst(kept, leastScore, now);
            if (victim == null) {
                return false;
            }
            room += victim.bytes;
            documents.exchange(victim.place, --kept);
        }
        evictFrom(spare(kept, room - bytes), evicted);
        return true;
    }

    /**
     * The worst that is found among the first residents, if it scores more than the least. All are drawn before any is looked
     * at, so that their cache misses overlap.
     */
    private @Nullable Known<K> worst(int residents, double leastScore, long now) {
        candidates.drainTo(compared);
        for (int draw = Math.min(SAMPLES, residents); draw > 0; draw--) {
            compared.add(residents <= SAMPLES ? documents.at(draw - 1) : documents.draw(random.nextInt(), residents));
        }
        for (Known<K> document : compared) {
            if (document.place < residents) {
                candidates.offer(document, score(document, now));
            }
        }
        compared.clear();
        return candidates.highest() > leastScore ? candidates.take() : null;
    }

    /** Of the chosen, which stand behind those that are kept, keeps what fits into the excess. */
    private int spare(int kept, long excess) {
        int spared = kept;
        long left = excess;
        for (int place = kept; place < documents.residents(); place++) {
            long bytes = documents.at(place).bytes;
            if (bytes <= left) {
                left -= bytes;
                documents.exchange(place, spared++);
            }
        }
        return spared;
    }

    private void evictFrom(int kept, Consumer<? super K> evicted) {
        while (documents.residents() > kept) {
            Known<K> victim = documents.at(documents.residents() - 1);
            evict(victim);
            evicted.accept(victim.key);
        }
    }

    private void evict(Known<K> resident) {
        residentBytes -= resident.bytes;
        documents.evict(resident);
    }

    @Override
    public void remove(K key) {
        Known<K> document = documents.find(key);
        if (document != null && documents.isResident(document)) {
            evict(document);
            documents.trim();
        }
    }

    @Override
    public void resize(long capacityBytes, Consumer<? super K> evicted) {
        this.capacityBytes = Capacity.check(capacityBytes);
        makeRoom(0, 0, now(), evicted);
        documents.trim();
    }

    @Override
    public Supplier<List<K>> victimsFirst() {
        List<K> unordered = new ArrayList<>(documents.residents());
        for (int place = 0; place < documents.residents(); place++) {
            unordered.add(documents.at(place).key);
        }
        return () -> unordered;
    }

    /**
     * It is thought to have been asked for as often as it was, in even gaps, and just now for the last time. That teaches
     * nothing about others.
     */
    @Override
    public void inherit(K key, long bytes, long requests) {
        if (isResident(key)) {
            throw new IllegalArgumentException(key + " is resident already");
        }
        Known<K> document = documents.recall(key);
        document.bytes = bytes;
        document.maybeAwaited = true;
        document.gap = (float) window.arrivals() / requests;
        reuse.place(document, (int) Math.min(requests, Integer.MAX_VALUE), now());
        documents.admit(document);
        residentBytes += bytes;
    }

    @Override
    public boolean isResident(K key) {
        Known<K> document = documents.find(key);
        return document != null && documents.isResident(document);
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public long residentBytes() {
        return residentBytes;
    }

    @Override
    public int residents() {
        return documents.residents();
    }
}
