// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses documents with gzip when they are read, where its source has no file in that coding. Only a document that
 * gets a tenth smaller, and small enough to be kept, is there in gzip, of 1 KiB to 4 MiB: what cannot be kept would have
 * to be compressed for every request.
 *
 * <p>All that compressing takes is reserved in the {@link WorkingMemory} first: what comes out, until the document is
 * closed, and the compressor's own memory while it runs. At most {@code threads} run at once.
 */
public final class CompressingSource implements DocumentSource {
    private static final int SMALLEST_BYTES = 1 << 10;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int OUTPUT_BYTES = CHUNK_BYTES / 8;
    private static final int LEVEL = 6;

    /** By zlib's zconf.h: 128 KiB for the window, 128 KiB at the default memory level, and a few KiB. */
    private static final int DEFLATER_BYTES = (256 + 8) << 10;

    private static final int COMPRESSOR_BYTES = DEFLATER_BYTES + OUTPUT_BYTES + CHUNK_BYTES;

    private final DocumentSource source;
    private final Semaphore permits;
    private final VainAttempts vain = new VainAttempts();

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
            Version plain = source.version(path.in(Coding.IDENTITY));
            requireSize(path, plain);
            return plain;
        }
    }

    private static void requireSize(DocumentPath path, Version plain) throws MissingDocumentException {
        if (plain.bytes() < SMALLEST_BYTES || plain.bytes() > LARGEST_BYTES) {
            throw new MissingDocumentException(path + " is not made of " + plain.bytes() + " bytes");
        }
    }

    /** Without memory to work with, nothing is compressed. */
    @Override
    public OpenDocument open(DocumentPath path) throws IOException {
        return source.open(path);
    }

    @Override
    public OpenDocument open(DocumentPath path, WorkingMemory memory) throws IOException {
        try {
            return source.open(path, memory);
        } catch (MissingDocumentException e) {
            if (path.coding() != Coding.GZIP) {
                throw e;
            }
            return compressed(path, memory);
        }
    }

    private OpenDocument compressed(DocumentPath path, WorkingMemory memory) throws IOException {
        permits.acquireUninterruptibly();
        try (OpenDocument plain = source.open(path.in(Coding.IDENTITY), memory)) {
            requireSize(path, plain.version());
            int bytes = (int) plain.bytes();
            int limit = (int) Math.min(bytes - bytes / 10, memory.largestKeptBytes());
            if (vain.include(path, plain.version(), limit)) {
                throw tooLarge(path, limit);
            }
            return compressed(path, plain, limit, memory);
        } finally {
            permits.release();
        }
    }

    private OpenDocument compressed(DocumentPath path, OpenDocument plain, int limit, WorkingMemory memory)
            throws IOException {
        if (!memory.tryReserve(limit + COMPRESSOR_BYTES)) {
            throw new ShortOfMemoryException("no memory to compress " + path);
        }
        Optional<ByteBuf> gzip = Optional.empty();
        try {
            gzip = gzip(plain, limit);
        } finally {
            memory.free(gzip.isPresent() ? COMPRESSOR_BYTES : limit + COMPRESSOR_BYTES);
        }
        if (gzip.isEmpty()) {
            vain.remember(path, plain.version(), limit);
            throw tooLarge(path, limit);
        }
        return new Compressed(plain.version(), gzip.get(), memory);
    }

    private static MissingDocumentException tooLarge(DocumentPath path, int limit) {
        return new MissingDocumentException(path + " is not made: it is larger than " + limit + " bytes");
    }

    /** The document in gzip, if that is not larger than the limit. */
    private static Optional<ByteBuf> gzip(OpenDocument plain, int limit) throws IOException {
        var out = new BoundedOutput(limit);
        ByteBuf chunk = Unpooled.buffer(CHUNK_BYTES);
        try (var gzip = new Gzip(out)) {
            for (int position = 0; position < plain.bytes() && !out.isFull(); position += CHUNK_BYTES) {
                plain.read(chunk.clear(), position, (int) Math.min(CHUNK_BYTES, plain.bytes() - position));
                gzip.write(chunk.array(), 0, chunk.readableBytes());
            }
        }
        return out.isFull() ? Optional.empty() : Optional.of(out.content());
    }

    /** GZIPOutputStream with a level of its own; it ends its deflater when it is closed. */
    private static final class Gzip extends GZIPOutputStream {
        private Gzip(BoundedOutput out) throws IOException {
            super(out, OUTPUT_BYTES);
            def.setLevel(LEVEL);
        }
    }
}
