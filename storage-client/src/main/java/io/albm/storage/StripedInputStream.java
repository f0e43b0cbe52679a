// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A striped file as a stream, read ahead by a bounded number of stripes as long as {@link StreamMemory} lasts for all streams. At the end the whole content is held against the
 * file's checksum, in addition to each block's. For one thread at a time.
 */
public final class StripedInputStream extends InputStream {
    /** What a stream reads at once that gets no more of the memory of all. */
    private static final int LEAST_BYTES = 1 << 20;

    private final StripedReader reader;
    private final StreamMemory memory;
    private final int stripesAhead;
    private final ArrayDeque<Ahead> ahead = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();
    private ByteBuf current = Unpooled.EMPTY_BUFFER;
    private long currentTaken;
    private long aheadTo;
    private boolean checked;

    /** @param taken bytes of the memory of all streams */
    private record Ahead(StripedReader.Piece piece, CompletableFuture<ByteBuf> content, long taken) {
        Ahead again(StripedReader reader) {
            return new Ahead(piece, reader.read(piece), taken);
        }
    }

    StripedInputStream(StripedReader reader, StreamMemory memory, int stripesAhead) {
        this.reader = reader;
        this.memory = memory;
        this.stripesAhead = stripesAhead;
        readAhead();
    }

    /** The file that is read. */
    public FileInfo file() {
        return reader.file();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (!current.isReadable() && !advance()) {
            return -1;
        }
        int count = Math.min(length, current.readableBytes());
        current.readBytes(target, offset, count);
        crc.update(target, offset, count);
        return count;
    }

    /**
     * The next bytes of the file where they were received, without a copy.
     *
     * @return direct and read-only, at least one byte, good until the next call of any method; null at the end of the file
     */
    public @Nullable ByteBuffer next() throws IOException {
        if (!current.isReadable() && !advance()) {
            return null;
        }
        ByteBuffer part = current.nioBuffers()[0];
        current.skipBytes(part.remaining());
        crc.update(part.duplicate());
        return part.asReadOnlyBuffer();
    }

    @Override
    public int available() {
        return current.readableBytes();
    }

    private boolean advance() throws IOException {
        letCurrent();
        if (ahead.isEmpty()) {
            checkWhole();
            return false;
        }
        // One that failed stays the next: nothing is skipped, and what failed long ago may be there by now.
        if (ahead.element().content().isCompletedExceptionally()) {
            ahead.push(ahead.remove().again(reader));
        }
        current = StripedStore.await(ahead.element().content());
        currentTaken = ahead.remove().taken();
        readAhead();
        return true;
    }

    private void letCurrent() {
        current.release();
        current = Unpooled.EMPTY_BUFFER;
        memory.give(currentTaken);
        currentTaken = 0;
    }

    private void readAhead() {
        while (ahead.size() < stripesAhead && aheadTo < file().length()) {
            StripedReader.Piece rest = reader.pieceAt(aheadTo).part(aheadTo, Integer.MAX_VALUE);
            boolean taken = memory.take(rest.length());
            if (!taken && !ahead.isEmpty()) {
                return;
            }
            StripedReader.Piece piece = taken ? rest : rest.part(aheadTo, LEAST_BYTES);
            ahead.add(new Ahead(piece, reader.read(piece), taken ? piece.length() : 0));
            aheadTo = piece.end();
        }
    }

    private void checkWhole() throws StorageException {
        long expected = file().content().crc32c();
        if (!checked && expected != Content.UNKNOWN && crc.getValue() != expected) {
            throw new StorageException.FileCorrupt(file().path());
        }
        checked = true;
    }

    @Override
    public void close() {
        aheadTo = file().length();
        letCurrent();
        ahead.forEach(stripe -> stripe.content().whenComplete((content, failure) -> {
            memory.give(stripe.taken());
            if (content != null) {
                content.release();
            }
        }));
        ahead.clear();
    }
}
