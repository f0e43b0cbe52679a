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
 * A striped file as a stream, read ahead by a bounded number of stripes. At the end the whole content is held against the
 * file's checksum, in addition to each block's. For one thread at a time.
 */
public final class StripedInputStream extends InputStream {
    private final StripedReader reader;
    private final int stripesAhead;
    private final ArrayDeque<CompletableFuture<ByteBuf>> ahead = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();
    private ByteBuf current = Unpooled.EMPTY_BUFFER;
    private long aheadTo;
    private boolean checked;

    StripedInputStream(StripedReader reader, int stripesAhead) {
        this.reader = reader;
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
        current.release();
        current = Unpooled.EMPTY_BUFFER;
        CompletableFuture<ByteBuf> next = ahead.poll();
        if (next == null) {
            checkWhole();
            return false;
        }
        current = StripedStore.await(next);
        readAhead();
        return true;
    }

    private void readAhead() {
        while (ahead.size() < stripesAhead && aheadTo < file().length()) {
            StripedReader.Piece piece = reader.pieceAt(aheadTo);
            ahead.add(reader.read(piece));
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
        current.release();
        current = Unpooled.EMPTY_BUFFER;
        ahead.forEach(stripe -> stripe.thenAccept(ByteBuf::release));
        ahead.clear();
    }
}
