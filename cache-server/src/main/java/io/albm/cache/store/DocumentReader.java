// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.policy.MeasuredReadCost;
import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.OpenDocument;
import io.albm.cache.source.Version;
import io.albm.core.http.HeadWriter;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads documents from the source: whole into main memory where there is room, else only what identifies them, for
 * streaming. A document that changes while it is read is read again, at most {@value #ATTEMPTS} times in all. Every
 * byte is entered in the ledger before it is allocated. Blocking; thread-safe.
 */
final class DocumentReader {

    private static final int ATTEMPTS = 3;
    private static final int SENT_AS_FILE_BYTES = 256 << 10;
    private static final int REMEMBERED_IDENTITIES = 10_000;

    private final DocumentSource source;
    private final HeadEncoder heads;
    private final StoreSettings settings;
    private final MemoryLedger ledger;
    private final ByteBufAllocator allocator;
    private final MonotonicClock clock;
    private final MeasuredReadCost cost;
    private final StoreStats stats;
    private final IdentityMemo identities = new IdentityMemo(REMEMBERED_IDENTITIES);

    DocumentReader(
            DocumentSource source,
            HeadEncoder heads,
            StoreSettings settings,
            MemoryLedger ledger,
            ByteBufAllocator allocator,
            MonotonicClock clock,
            MeasuredReadCost cost,
            StoreStats stats) {
        this.source = source;
        this.heads = heads;
        this.settings = settings;
        this.ledger = ledger;
        this.allocator = allocator;
        this.clock = clock;
        this.cost = cost;
        this.stats = stats;
    }

    /**
     * Reads a document.
     *
     * @param whole is told of a document that was read whole, before it is the outcome
     * @return the document with a reference for the caller, or that it is to be streamed, or that memory stayed short
     * @throws ChangedDocumentException if it changed during every attempt
     */
    Outcome read(DocumentPath path, Consumer<CachedFile> whole) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            long lookedNanos = clock.nanoTime();
            try (OpenDocument open = source.open(path, ledger)) {
                long openedNanos = clock.nanoTime();
                int head = head(path, Identity.placeholder(open)).length();
                long bytes = head + open.bytes();
                boolean tooLarge = bytes > ledger.largestKeptBytes();
                if (tooLarge || !ledger.tryReserve(bytes)) {
                    return open.isMade() ? notMade(tooLarge) : identify(path, open);
                }
                Document document = readWhole(path, open, head, Math.toIntExact(bytes));
                long readNanos = clock.nanoTime();
                if (!open.isMade()) {
                    cost.read(bytes, readNanos - openedNanos);
                }
                stats.readTook(readNanos - lookedNanos);
                whole.accept(new CachedFile(document, open.version(), lookedNanos));
                return new Outcome.Found(document);
            } catch (ChangedDocumentException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** What cannot be streamed is not there if it cannot be kept. */
    private static Outcome notMade(boolean tooLarge) {
        return tooLarge ? new Outcome.Missing() : new Outcome.Busy();
    }

    private HeadWriter head(DocumentPath path, Identity identity) {
        var head = new HeadWriter();
        heads.encode(path, identity, head);
        return head;
    }

    /** Reads a whole document into memory that is entered in the ledger already: so many bytes, head and all. */
    private Document readWhole(DocumentPath path, OpenDocument open, int headBytes, int bytes) throws IOException {
        MemoryFile file =
                bytes < SENT_AS_FILE_BYTES ? null : MemoryFile.allocate(bytes).orElse(null);
        ByteBuf memory = null;
        try {
            memory = file == null ? allocator.directBuffer(bytes, bytes) : file.memory();
            open.read(memory.writerIndex(headBytes), 0, bytes - headBytes);
            Identity identity = identity(memory.slice(headBytes, bytes - headBytes), open);
            memory.setBytes(0, head(path, identity).copy());
            stats.countRead(identity.bytes(), 1);
            return new Document(identity, headBytes, memory, file, ledger);
        } catch (IOException | RuntimeException | Error e) {
            if (memory != null) {
                memory.release();
            }
            if (file != null) {
                file.close();
            }
            ledger.free(bytes);
            throw e;
        }
    }

    private static Identity identity(ByteBuf content, OpenDocument open) {
        Identity.Builder identity = new Identity.Builder();
        identity.add(content);
        return identity.build(open);
    }

    private Outcome identify(DocumentPath path, OpenDocument open) throws IOException, InterruptedException {
        Version version = open.version();
        Optional<Identity> known = identities.find(path, version);
        if (known.isPresent()) {
            return new Outcome.Large(new LargeDocument(path, known.get(), version));
        }
        if (!ledger.reserve(StoreSettings.CHUNK_BYTES, settings.patience())) {
            return new Outcome.Busy();
        }
        try {
            Identity identity = hash(open);
            identities.remember(path, version, identity);
            return new Outcome.Large(new LargeDocument(path, identity, version));
        } finally {
            ledger.free(StoreSettings.CHUNK_BYTES);
        }
    }

    private Identity hash(OpenDocument open) throws IOException {
        Identity.Builder identity = new Identity.Builder();
        ByteBuf chunk = allocator.directBuffer(StoreSettings.CHUNK_BYTES, StoreSettings.CHUNK_BYTES);
        try {
            long bytes = open.bytes();
            for (long position = 0; position < bytes; position += StoreSettings.CHUNK_BYTES) {
                open.read(chunk.clear(), position, (int) Math.min(StoreSettings.CHUNK_BYTES, bytes - position));
                identity.add(chunk);
            }
            return identity.build(open);
        } finally {
            chunk.release();
        }
    }
}
