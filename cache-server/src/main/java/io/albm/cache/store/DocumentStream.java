// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.OpenDocument;
import io.albm.cache.source.Version;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;

/**
 * A document being streamed, chunk by chunk. Each chunk is checked against the file's version after it was read, so
 * that no byte of another version goes out under the identity that the head announced. Blocking; used by one thread.
 */
public final class DocumentStream implements Closeable {

    private final OpenDocument open;
    private final ByteBufAllocator allocator;
    private final MemoryLedger ledger;
    private final Duration patience;
    private final Runnable onClose;

    DocumentStream(
            OpenDocument open, ByteBufAllocator allocator, MemoryLedger ledger, Duration patience, Runnable onClose) {
        this.open = open;
        this.allocator = allocator;
        this.ledger = ledger;
        this.patience = patience;
        this.onClose = onClose;
    }

    void require(Version version) throws IOException {
        if (!open.version().equals(version)) {
            open.close();
            throw new ChangedDocumentException("the document changed after it was identified");
        }
    }

    /**
     * Reads the next bytes, after waiting for memory if it is short. The caller releases the chunk and then says so
     * with {@link #released}.
     *
     * @param bytes at most {@link StoreSettings#CHUNK_BYTES}
     * @throws ChangedDocumentException if the document changed: the response must be cut
     * @throws IOException if it cannot be read, or memory stayed short
     */
    public ByteBuf read(long position, int bytes) throws IOException, InterruptedException {
        if (!ledger.reserve(bytes, patience)) {
            throw new IOException("no memory for a chunk within " + patience);
        }
        ByteBuf chunk = null;
        try {
            chunk = allocator.directBuffer(bytes, bytes);
            open.read(chunk, position, bytes);
            return chunk;
        } catch (IOException | RuntimeException | Error e) {
            if (chunk != null) {
                chunk.release();
            }
            ledger.free(bytes);
            throw e;
        }
    }

    /** The file that it is read from, if it is one: for the kernel to send. */
    public Optional<FileChannel> file() {
        return open.file();
    }

    /**
     * Looks at it again.
     *
     * @throws ChangedDocumentException if it changed: the response must be cut
     */
    public void check() throws IOException {
        open.check();
    }

    /** Gives the memory of a chunk back. */
    public void released(int bytes) {
        ledger.free(bytes);
    }

    @Override
    public void close() throws IOException {
        onClose.run();
        open.close();
    }
}
