// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.savings.PackSource;
import io.albm.storage.Permits;
import io.albm.storage.StripedReader;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * A pack in the striped store. The pieces of a range are read side by side.
 *
 * @param inFlight bounds what is asked for of all packs and not there yet, in bytes
 */
record StripedPack(StripedReader reader, Permits inFlight) implements PackSource {
    @Override
    public long bytes() {
        return reader.file().length();
    }

    @Override
    public CompletableFuture<byte[]> read(long offset, int length) {
        return inFlight.run(length, () -> ask(offset, length));
    }

    private CompletableFuture<byte[]> ask(long offset, int length) {
        byte[] range = new byte[length];
        CompletableFuture<byte[]> whole = CompletableFuture.completedFuture(range);
        for (long at = offset; at < offset + length; ) {
            StripedReader.Piece piece = reader.pieceAt(at).part(at, offset + length - at);
            int to = (int) (at - offset);
            whole = whole.thenCombine(reader.read(piece), (all, content) -> copy(content, all, to));
            at = piece.end();
        }
        return whole;
    }

    private static byte[] copy(ByteBuf content, byte[] range, int to) {
        try {
            content.readBytes(range, to, content.readableBytes());
            return range;
        } finally {
            content.release();
        }
    }
}
