// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses documents with gzip when they are read, where its source has no file in that coding. Only a document that
 * gets a tenth smaller is there in gzip, of 1 KiB to 4 MiB.
 *
 * <p>What comes out is kept on the heap until it is read: for at most {@code threads} documents at once, none larger than
 * the document that it was made of.
 */
public final class CompressingSource implements DocumentSource {
    private static final int SMALLEST_BYTES = 1 << 10;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int LEVEL = 6;

    private final DocumentSource source;
    private final Semaphore permits;

    /**
     * @param threads most documents compressed at once
     */
    public CompressingSource(DocumentSource source, int threads) {
        this.source = source;
        permits = new Semaphore(threads);
    }

    @Override
    public Version version(DocumentPath path) throws IOException {
        try {
            return source.version(path);
        } catch (MissingDocumentException e) {
            if (path.coding() != Coding.GZIP) {
                throw e;
            }
            return source.version(path.in(Coding.IDENTITY));
        }
    }

    @Override
    public OpenDocument open(DocumentPath path) throws IOException {
        try {
            return source.open(path);
        } catch (MissingDocumentException e) {
            if (path.coding() != Coding.GZIP) {
                throw e;
            }
            return compressed(path);
        }
    }

    private OpenDocument compressed(DocumentPath path) throws IOException {
        permits.acquireUninterruptibly();
        try (OpenDocument plain = source.open(path.in(Coding.IDENTITY))) {
            long bytes = plain.bytes();
            if (bytes < SMALLEST_BYTES || bytes > LARGEST_BYTES) {
                throw new MissingDocumentException(path + " is not made: " + bytes + " bytes");
            }
            byte[] gzip = gzip(plain, (int) bytes);
            if (gzip.length > bytes - bytes / 10) {
                throw new MissingDocumentException(path + " is not made: it does not get smaller");
            }
            return new Compressed(plain.version(), gzip);
        } finally {
            permits.release();
        }
    }

    private static byte[] gzip(OpenDocument plain, int bytes) throws IOException {
        var out = new ByteArrayOutputStream(bytes / 2);
        ByteBuf chunk = Unpooled.buffer(Math.min(CHUNK_BYTES, bytes));
        try (var gzip = new Gzip(out)) {
            for (int position = 0; position < bytes; position += CHUNK_BYTES) {
                plain.read(chunk.clear(), position, Math.min(CHUNK_BYTES, bytes - position));
                gzip.write(chunk.array(), 0, chunk.readableBytes());
            }
        } finally {
            chunk.release();
        }
        return out.toByteArray();
    }

    /** GZIPOutputStream with a level of its own; it ends its deflater when it is closed. */
    private static final class Gzip extends GZIPOutputStream {
        private Gzip(ByteArrayOutputStream out) throws IOException {
            super(out, CHUNK_BYTES / 8);
            def.setLevel(LEVEL);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Compressed(Version version, byte[] content) implements OpenDocument {
        @Override
        public long bytes() {
            return content.length;
        }

        @Override
        public void read(ByteBuf into, long position, int bytes) {
            into.writeBytes(content, (int) position, bytes);
        }

        @Override
        public void close() {}
    }
}
