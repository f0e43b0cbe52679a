// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.MissingDocumentException;
import io.albm.cache.source.OpenDocument;
import io.albm.cache.source.Version;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Documents in memory, whose reads a test can hold up, fail and count. */
final class FakeSource implements DocumentSource {

    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Content(byte[] bytes, Version version) {}

    private final Map<DocumentPath, Content> documents = new ConcurrentHashMap<>();
    private final AtomicInteger versions = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger looks = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);
    volatile @Nullable IOException failure;
    volatile @Nullable Error breakdown;

    void put(String path, byte[] bytes) {
        Version version = new Version(bytes.length, LONG_AGO, LONG_AGO, versions.incrementAndGet());
        documents.put(new DocumentPath(path), new Content(bytes, version));
    }

    /** A store over these documents. */
    DocumentStore store(StoreSettings settings, MonotonicClock clock) {
        return new DocumentStore(
                this,
                HeadEncoder.NONE,
                settings,
                new StoreStats((name, help, tags) -> new LongAdder()),
                Thread::startVirtualThread,
                PooledByteBufAllocator.DEFAULT,
                clock);
    }

    void remove(String path) {
        documents.remove(new DocumentPath(path));
    }

    @Override
    public Version version(DocumentPath path) throws IOException {
        looks.incrementAndGet();
        return content(path).version;
    }

    @Override
    public OpenDocument open(DocumentPath path) throws IOException {
        return new Open(content(path));
    }

    private Content content(DocumentPath path) throws IOException {
        Content content = documents.get(path);
        if (content == null) {
            throw new MissingDocumentException(path + " is not there");
        }
        return content;
    }

    private final class Open implements OpenDocument {
        private final Content content;

        private Open(Content content) {
            this.content = content;
        }

        @Override
        public Version version() {
            return content.version;
        }

        @Override
        public void read(ByteBuf into, long position, int bytes) throws IOException {
            reads.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            Error broken = breakdown;
            if (broken != null) {
                throw broken;
            }
            IOException planned = failure;
            if (planned != null) {
                throw planned;
            }
            into.writeBytes(content.bytes, Math.toIntExact(position), bytes);
        }

        @Override
        public void close() {}
    }
}
