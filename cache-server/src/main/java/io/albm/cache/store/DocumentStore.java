// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.policy.SchedulingWindow;
import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.Coding;
import io.albm.cache.source.DirectoryException;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.MissingDocumentException;
import io.albm.cache.source.ShortOfMemoryException;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the cache server: whole documents in main memory (paper P2, section 2), read-only, so that a hit
 * copies nothing and opens nothing.
 *
 * <p><b>A hit is answered on the calling thread</b>, an event loop. It costs two hash look-ups and the policy's O(1)
 * under one lock, and takes a reference on the document's buffer. <b>A miss waits for one read.</b> The first request
 * for a document queues the read; every later one joins it; all are answered once, with the document or with the
 * failure, and no failure is remembered. Reads run on virtual threads, oldest first, a bounded number at once; when
 * the queue is full the request is refused as {@link Outcome.Busy}, not parked.
 *
 * <p><b>A waiting request is knowledge.</b> Every request that waits stands in the scheduling window until it has its
 * document, so the policy sees what is wanted next; as far as {@linkplain #announced they are announced}, requests that still
 * wait at a distributor, too.
 *
 * <p><b>Eviction never breaks a response.</b> The index forgets a victim at once; its bytes stay until the last
 * response that sends them is done. {@link MemoryLedger} bounds both the residents and these detached bytes, exactly.
 * Where the detached memory has no room, new misses are served uncached or streamed.
 *
 * <p><b>No mixed and no mislabelled content.</b> A document is cached only if its file was the same version before
 * and after the read, and its entity tag is the hash of the very bytes. A resident document is served without a look
 * at its file for at most {@link StoreSettings#checkInterval}; the next request then waits for one look, so what a
 * client gets was the file's content at most that long ago.
 *
 * <p>Thread-safe. One lock guards the {@link ResidentSet} and who waits for which read; nothing blocks while holding it.
 */
public final class DocumentStore implements AutoCloseable {

    private static final int LOOKS_AT_ONCE = 64;

    private record Waiting(SchedulingWindow.Ticket<DocumentPath> ticket, Consumer<? super Outcome> waiter) {}

    private final Object lock = new Object();
    private final Map<DocumentPath, List<Waiting>> reading = new HashMap<>();
    private final ResidentSet<DocumentPath, CachedFile> residents;
    private final ResidentControl<DocumentPath> control;

    private final DocumentSource source;
    private final StoreSettings settings;
    private final MonotonicClock clock;
    private final ReadQueue queue;
    private final ReadQueue looks;
    private final MemoryLedger ledger;
    private final DocumentReader reader;
    private final DocumentStreams streams;
    private final StoreStats stats;

    /**
     * @param heads words what stands before each document in memory
     * @param threads starts a thread that may block for each task it is given
     */
    public DocumentStore(
            DocumentSource source,
            HeadEncoder heads,
            StoreSettings settings,
            StoreStats stats,
            Executor threads,
            ByteBufAllocator allocator,
            MonotonicClock clock) {
        this.source = source;
        this.settings = settings;
        this.stats = stats;
        this.clock = clock;
        queue = new ReadQueue(threads, settings.readers(), settings.queuedReads());
        looks = new ReadQueue(threads, LOOKS_AT_ONCE, settings.queuedReads());
        ledger = new MemoryLedger(settings.memory());
        residents = new ResidentSet<>(settings, ledger, stats, clock);
        control = new ResidentControl<>(lock, residents, ledger, settings.patience(), stats);
        reader = new DocumentReader(source, heads, settings, ledger, allocator, clock, residents.readCost(), stats);
        streams = new DocumentStreams(source, settings, ledger, allocator, stats);
    }

    /**
     * Asks for a document. Never blocks.
     *
     * @param waiter called exactly once: at once on this thread for a hit or a refusal, else on a reader's thread; it
     *     must neither block nor throw
     */
    public void request(DocumentPath path, Consumer<? super Outcome> waiter) {
        serveOrJoin(path, waiter).ifPresent(waiter);
    }

    /** Takes note that a request for a document waits at a distributor and may come here. */
    public void announced(DocumentPath path) {
        synchronized (lock) {
            residents.announced(path);
        }
    }

    private Optional<Outcome> serveOrJoin(DocumentPath path, Consumer<? super Outcome> waiter) {
        synchronized (lock) {
            CachedFile resident = residents.get(path);
            if (resident != null && isFresh(resident)) {
                residents.passes(path);
                return Optional.of(serve(path, resident));
            }
            return join(
                    path,
                    new Waiting(residents.arrives(path), waiter),
                    isLookedAtFirst(path, resident) ? looks : queue);
        }
    }

    /** What may be there still, and what may well not be there at all: a look is cheaper than a read. */
    private static boolean isLookedAtFirst(DocumentPath path, @Nullable CachedFile resident) {
        return resident != null || path.coding() != Coding.IDENTITY;
    }

    private boolean isFresh(CachedFile resident) {
        return clock.nanoTime() - resident.checkedNanos()
                < settings.checkInterval().toNanos();
    }

    private Outcome serve(DocumentPath path, CachedFile resident) {
        residents.served(path);
        resident.served();
        stats.countServed(resident.document().identity().bytes(), 1);
        return new Outcome.Found(retained(resident.document()));
    }

    private Optional<Outcome> join(DocumentPath path, Waiting waiting, ReadQueue line) {
        List<Waiting> others = reading.get(path);
        if (others != null) {
            stats.coalesced.increment();
            others.add(waiting);
            return Optional.empty();
        }
        if (!line.offer(() -> turn(path, line == looks ? this::look : this::find))) {
            residents.leaves(waiting.ticket);
            stats.busy.increment();
            return Optional.of(new Outcome.Busy());
        }
        reading.put(path, new ArrayList<>(List.of(waiting)));
        return Optional.empty();
    }

    /** What a thread does for a path; nothing if another line is to do it. */
    private interface Work {
        Optional<Outcome> on(DocumentPath path) throws IOException, InterruptedException;
    }

    /** One turn of a reader: from here on {@code path} has exactly one thread. */
    private void turn(DocumentPath path, Work work) {
        Optional<Outcome> outcome;
        try {
            outcome = work.on(path);
        } catch (MissingDocumentException e) {
            outcome = Optional.of(new Outcome.Missing());
        } catch (DirectoryException e) {
            outcome = Optional.of(new Outcome.IsDirectory());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome = Optional.of(new Outcome.Failed(e));
        } catch (ShortOfMemoryException e) {
            outcome = Optional.of(new Outcome.Busy());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            outcome = Optional.of(new Outcome.Failed(e));
        } catch (Error e) {
            answerAll(dismiss(path), new Outcome.Failed(e));
            throw e;
        }
        outcome.ifPresent(found -> answerAll(dismiss(path), found));
    }

    /**
     * Whether a resident is still what its file is, or whether there is such a document at all, which takes no read and so
     * waits behind none. What has to be read is read when it is its turn.
     */
    private Optional<Outcome> look(DocumentPath path) throws IOException, InterruptedException {
        long lookedNanos = clock.nanoTime();
        Optional<CachedFile> held = hold(path);
        if (held.isPresent()) {
            CachedFile resident = held.get();
            try {
                if (isUnchanged(path, resident)) {
                    confirm(path, resident, lookedNanos);
                    return Optional.of(new Outcome.Found(retained(resident.document())));
                }
            } finally {
                resident.document().release();
            }
        } else if (path.coding() != Coding.IDENTITY) {
            source.version(path);
        }
        return queue.offer(() -> turn(path, this::find)) ? Optional.empty() : Optional.of(new Outcome.Busy());
    }

    private List<Waiting> dismiss(DocumentPath path) {
        synchronized (lock) {
            List<Waiting> all = reading.remove(path);
            if (all == null) {
                throw new AssertionError("nobody waits for " + path);
            }
            leave(all);
            return all;
        }
    }

    private void leave(List<Waiting> all) {
        all.stream().map(Waiting::ticket).filter(ticket -> !ticket.hasLeft()).forEach(residents::leaves);
    }

    /** Each waiter gets a reference, the last one this thread's own: nothing is held once all have let go. */
    private void answerAll(List<Waiting> all, Outcome outcome) {
        count(outcome, all.size());
        if (outcome instanceof Outcome.Found found) {
            all.stream().skip(1).forEach(another -> found.document().retain());
        }
        all.forEach(waiting -> waiting.waiter.accept(outcome));
    }

    private void count(Outcome outcome, int requests) {
        switch (outcome) {
            case Outcome.Found found ->
                stats.countServed(found.document().identity().bytes(), requests);
            case Outcome.Large large ->
                stats.countServed(large.document().identity().bytes(), requests);
            case Outcome.Busy busy -> stats.busy.add(requests);
            case Outcome.Failed failed -> stats.failures.add(requests);
            case Outcome.Missing missing -> {}
            case Outcome.IsDirectory directory -> {}
        }
    }

    /** The document, read, with a reference for the caller. What is resident is not what the file is any more. */
    private Optional<Outcome> find(DocumentPath path) throws IOException, InterruptedException {
        Optional<CachedFile> held = hold(path);
        if (held.isPresent()) {
            CachedFile stale = held.get();
            stale.document().release();
            if (!discard(path, stale)) {
                return Optional.of(new Outcome.Busy());
            }
        }
        return Optional.of(reader.read(path, newcomer -> admit(path, newcomer)));
    }

    private Optional<CachedFile> hold(DocumentPath path) {
        synchronized (lock) {
            Optional<CachedFile> resident = Optional.ofNullable(residents.get(path));
            resident.ifPresent(present -> present.document().retain());
            return resident;
        }
    }

    private boolean isUnchanged(DocumentPath path, CachedFile resident) throws IOException, InterruptedException {
        try {
            return resident.isOf(source.version(path));
        } catch (MissingDocumentException | DirectoryException e) {
            discard(path, resident);
            throw e;
        }
    }

    private void confirm(DocumentPath path, CachedFile resident, long lookedNanos) {
        synchronized (lock) {
            leave(reading.getOrDefault(path, List.of()));
            if (residents.get(path) == resident) {
                resident.checked(lookedNanos);
                residents.served(path);
                resident.served();
            }
        }
    }

    /** Forgets a document that changed on disk. Refused while the memory in transit has no room for it. */
    private boolean discard(DocumentPath path, CachedFile resident) throws InterruptedException {
        long bytes = resident.document().bytes();
        if (!ledger.reserve(bytes, settings.patience())) {
            return false;
        }
        synchronized (lock) {
            if (residents.drop(path, resident)) {
                stats.changes.increment();
            }
        }
        return true;
    }

    /** The requests that this read answers leave the window first: they are no reason to keep the document. */
    private void admit(DocumentPath path, CachedFile newcomer) {
        synchronized (lock) {
            leave(reading.getOrDefault(path, List.of()));
            residents.admit(path, newcomer);
        }
    }

    /**
     * Opens a document for streaming, if fewer than the bounded number are being streamed. Blocks; the caller closes
     * it.
     *
     * @throws ChangedDocumentException if it is not the version any more that was identified
     */
    public Optional<DocumentStream> stream(LargeDocument document) throws IOException {
        return streams.open(document);
    }

    private static Document retained(Document document) {
        document.retain();
        return document;
    }

    public StoreStats stats() {
        return stats;
    }

    public StoreSettings settings() {
        return settings;
    }

    /** For operators: capacity, policy, purge, and what is kept. */
    public ResidentControl<DocumentPath> control() {
        return control;
    }

    /** The books of the memory, of one moment. */
    public MemoryLedger.Balance memory() {
        return ledger.balance();
    }

    /** Bytes of the documents that the policy keeps: never more than the capacity. */
    public long residentBytes() {
        return ledger.balance().resident();
    }

    /** Bytes read, streamed, or evicted while they are sent: never more than the bound. */
    public long transitBytes() {
        return ledger.balance().transit();
    }

    public int residents() {
        synchronized (lock) {
            return residents.size();
        }
    }

    /** Counted requests that wait for their document. */
    public int windowOccupancy() {
        synchronized (lock) {
            return residents.windowOccupancy();
        }
    }

    /** Requests that are believed to wait at distributors. */
    public int announcedOccupancy() {
        synchronized (lock) {
            return residents.announcedOccupancy();
        }
    }

    /** Documents that wait for a reader. */
    public int queuedReads() {
        return queue.length();
    }

    /** Lets go of every resident document, and keeps none that is still being read; bytes of responses under way stay until these end. */
    @Override
    public void close() {
        synchronized (lock) {
            residents.close();
        }
    }
}
