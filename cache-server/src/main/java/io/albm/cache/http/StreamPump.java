// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.source.ChangedDocumentException;
import io.albm.cache.source.MissingDocumentException;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.DocumentStream;
import io.albm.cache.store.LargeDocument;
import io.albm.cache.store.StoreSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends one large document, on a virtual thread: reads a chunk, waits until it is written, reads the next. So a
 * response holds one chunk of memory however slow its client is, for at most the write timeout.
 */
final class StreamPump implements Runnable {

    private final DocumentStore store;
    private final LargeDocument document;
    private final Answer answer;
    private final Duration writeTimeout;
    private final ConnectionHandler.Outlet outlet;

    StreamPump(
            DocumentStore store,
            LargeDocument document,
            Answer answer,
            Duration writeTimeout,
            ConnectionHandler.Outlet outlet) {
        this.store = store;
        this.document = document;
        this.answer = answer;
        this.writeTimeout = writeTimeout;
        this.outlet = outlet;
    }

    @Override
    public void run() {
        Optional<DocumentStream> opened;
        try {
            opened = store.stream(document);
        } catch (ChangedDocumentException | MissingDocumentException e) {
            outlet.refuse(Refusal.busy());
            return;
        } catch (IOException e) {
            outlet.cut();
            return;
        }
        opened.ifPresentOrElse(this::pump, () -> outlet.refuse(Refusal.busy()));
    }

    private void pump(DocumentStream opened) {
        try (DocumentStream stream = opened) {
            outlet.begin(answer);
            long end = answer.from() + answer.bytes();
            for (long position = answer.from(); position < end; position += StoreSettings.CHUNK_BYTES) {
                send(stream, position, (int) Math.min(StoreSettings.CHUNK_BYTES, end - position));
            }
            outlet.end();
        } catch (IOException | RuntimeException e) {
            outlet.cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outlet.cut();
        }
    }

    private void send(DocumentStream stream, long position, int bytes) throws IOException, InterruptedException {
        ByteBuf chunk = stream.read(position, bytes);
        ChannelFuture written = outlet.write(chunk);
        written.addListener(done -> stream.released(bytes));
        if (!written.await(writeTimeout.toMillis()) || !written.isSuccess()) {
            throw new IOException("the client did not take the response", written.cause());
        }
    }
}
