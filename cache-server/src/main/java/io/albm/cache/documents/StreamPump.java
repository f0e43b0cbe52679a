// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.Exchange;
import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.MissingDocumentException;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.DocumentStream;
import io.albm.cache.store.LargeDocument;
import io.albm.cache.store.StoreSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends one large document, on a virtual thread: reads a chunk, waits until it is written, reads the next. So a
 * response holds one chunk of memory however slow its client is. For how long is the connection's business, which knows what its client takes: when
 * that is closed, the chunk is given back, and the document ends here.
 *
 * <p>With {@code sendFiles} the kernel sends all but the last chunk out of its page cache. The file
 * is looked at after each region and before the end, so a change until then cuts the response. But what the kernel has been
 * given it sends, or hands to a client on the same host, as it is by then: who writes into a file in place may still mix
 * what was sent before the last look. Copied chunks, the default, cannot be mixed.
 */
final class StreamPump implements Runnable {
    private static final long REGION_BYTES = 128 << 10;

    /** With a wait that has no end of its own, documents went out at 0.87 of the speed. */
    private static final long LOOK_SECONDS = 30;

    private final DocumentStore store;
    private final LargeDocument document;
    private final Plan plan;
    private final boolean sendFiles;
    private final Exchange exchange;
    private final Semaphore written = new Semaphore(0);
    private volatile boolean gone;

    /** To be made on the exchange's loop. */
    StreamPump(DocumentStore store, LargeDocument document, Plan plan, boolean sendFiles, Exchange exchange) {
        this.store = store;
        this.document = document;
        this.plan = plan;
        this.sendFiles = sendFiles;
        this.exchange = exchange;
        exchange.onGone(() -> gone = true);
    }

    @Override
    public void run() {
        try {
            stream();
        } catch (ChangedDocumentException | MissingDocumentException e) {
            onLoop(() -> DocumentHandler.busy(exchange));
        } catch (RejectedExecutionException e) {
            gone = true;
        } catch (IOException | RuntimeException | Error e) {
            onLoop(exchange::cut);
        }
    }

    private void stream() throws IOException {
        Optional<DocumentStream> opened = store.stream(document);
        if (opened.isEmpty()) {
            onLoop(() -> DocumentHandler.busy(exchange));
            return;
        }
        try (DocumentStream stream = opened.get()) {
            pump(stream);
        }
    }

    private void onLoop(Runnable action) {
        exchange.loop().execute(() -> DocumentHandler.attempt(exchange, action));
    }

    private void pump(DocumentStream stream) {
        onLoop(() -> DocumentHandler.begin(exchange, plan));
        try {
            for (Plan.Segment segment : plan.segments()) {
                write(segment.before());
                send(stream, segment);
            }
            write(plan.end());
            onLoop(exchange::end);
        } catch (IOException | RuntimeException | Error e) {
            onLoop(exchange::cut);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            onLoop(exchange::cut);
        }
    }

    private void write(byte[] text) {
        onLoop(() -> exchange.write(Unpooled.wrappedBuffer(text)));
    }

    private void send(DocumentStream stream, Plan.Segment segment) throws IOException, InterruptedException {
        long end = segment.from() + segment.bytes();
        long copied = sendFiles ? sendFile(stream, segment.from(), end) : segment.from();
        for (long position = copied; position < end; position += StoreSettings.CHUNK_BYTES) {
            int bytes = (int) Math.min(StoreSettings.CHUNK_BYTES, end - position);
            var chunk = new Chunk(stream, stream.read(position, bytes), bytes);
            send(chunk, () -> exchange.writeShared(chunk.memory, 0, bytes, chunk));
        }
    }

    /** Has the kernel send all but the end, which goes only after a last look at the file. Says how far it came. */
    private long sendFile(DocumentStream stream, long from, long end) throws IOException, InterruptedException {
        Optional<FileChannel> file = stream.file();
        long position = from;
        while (file.isPresent() && end - position > StoreSettings.CHUNK_BYTES) {
            long bytes = Math.min(REGION_BYTES, end - position - StoreSettings.CHUNK_BYTES);
            var region = new Region(file.get(), position, bytes);
            send(region, () -> exchange.write(region));
            stream.check();
            position += bytes;
        }
        return position;
    }

    private void send(ReferenceCounted piece, Runnable write) throws IOException, InterruptedException {
        try {
            onLoop(() -> {
                write.run();
                exchange.flush();
            });
        } catch (RuntimeException | Error e) {
            piece.release();
            throw e;
        }
        awaitWritten();
        if (gone) {
            throw new IOException("the client has gone");
        }
    }

    private void awaitWritten() throws InterruptedException {
        boolean isWritten = false;
        while (!isWritten && !gone) {
            isWritten = written.tryAcquire(LOOK_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** A part of a file that lets the pump go on when it has been sent. The stream closes the file. */
    private final class Region extends DefaultFileRegion {
        private Region(FileChannel file, long position, long bytes) {
            super(file, position, bytes);
        }

        @Override
        protected void deallocate() {
            written.release();
        }
    }

    /** Memory that is given back to the store, and lets the pump go on, when its bytes have been sent. */
    private final class Chunk extends AbstractReferenceCounted {
        private final DocumentStream stream;
        private final ByteBuf memory;
        private final int bytes;

        private Chunk(DocumentStream stream, ByteBuf memory, int bytes) {
            this.stream = stream;
            this.memory = memory;
            this.bytes = bytes;
        }

        @Override
        protected void deallocate() {
            memory.release();
            stream.released(bytes);
            written.release();
        }

        @Override
        public ReferenceCounted touch(Object hint) {
            return this;
        }
    }
}
