// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.OpenDocument;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The documents that are being streamed: at most {@link MemoryBounds#streams}, by the bounds of the moment. Thread-safe. */
final class DocumentStreams {

    private final DocumentSource source;
    private final StoreSettings settings;
    private final MemoryLedger ledger;
    private final ByteBufAllocator allocator;
    private final StoreStats stats;
    private final AtomicInteger open = new AtomicInteger();

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
    }

    /**
     * Opens one more, if there are fewer than the bound. Blocks; the caller closes it.
     *
     * @throws ChangedDocumentException if the document is not the version any more that was identified
     */
    Optional<DocumentStream> open(LargeDocument document) throws IOException {
        if (!takesPlace()) {
            stats.busy.increment();
            return Optional.empty();
        }
        try {
            OpenDocument content = source.open(document.path());
            var stream = new DocumentStream(content, allocator, ledger, settings.patience(), this::leavesPlace);
            stream.require(document.version());
            stats.countRead(document.identity().bytes(), 1);
            return Optional.of(stream);
        } catch (IOException | RuntimeException | Error e) {
            leavesPlace();
            throw e;
        }
    }

    private boolean takesPlace() {
        int most = ledger.bounds().streams();
        return open.getAndUpdate(now -> now < most ? now + 1 : now) < most;
    }

    private void leavesPlace() {
        open.decrementAndGet();
    }
}
