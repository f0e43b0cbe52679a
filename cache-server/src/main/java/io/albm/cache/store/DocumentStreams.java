// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.OpenDocument;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** The documents that are being streamed, a bounded number. Thread-safe. */
final class DocumentStreams {

    private final DocumentSource source;
    private final StoreSettings settings;
    private final MemoryLedger ledger;
    private final ByteBufAllocator allocator;
    private final StoreStats stats;
    private final Semaphore places;

    DocumentStreams(
            DocumentSource source,
            StoreSettings settings,
            MemoryLedger ledger,
            ByteBufAllocator allocator,
            StoreStats stats) {
        this.source = source;
        this.settings = settings;
        this.ledger = ledger;
        this.allocator = allocator;
        this.stats = stats;
        places = new Semaphore(settings.streams());
    }

    /**
     * Opens one more, if there are fewer than the bound. Blocks; the caller closes it.
     *
     * @throws ChangedDocumentException if the document is not the version any more that was identified
     */
    Optional<DocumentStream> open(LargeDocument document) throws IOException {
        if (!places.tryAcquire()) {
            stats.busy.increment();
            return Optional.empty();
        }
        try {
            OpenDocument open = source.open(document.path());
            DocumentStream stream = new DocumentStream(open, allocator, ledger, settings.patience(), places::release);
            stream.require(document.version());
            return Optional.of(stream);
        } catch (IOException | RuntimeException e) {
            places.release();
            throw e;
        }
    }
}
