// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.OpenDocument;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * What a response says about the content it carries.
 *
 * @param bytes size of the content
 * @param etag strong entity tag with its quotes: the first 128 bits of the content's SHA-256. Two servers that hold
 *     the same bytes give the same tag, so that a response cut on one can be continued from the other
 * @param modified when the content was last written
 */
public record Identity(long bytes, String etag, Instant modified) {

    private static final int TAG_BYTES = 16;

    /** An identity as long as the document's own, before its content was read. */
    static Identity placeholder(OpenDocument open) {
        return new Identity(
                open.bytes(),
                '"' + "0".repeat(2 * TAG_BYTES) + '"',
                open.version().modified());
    }

    /** Collects the content of one version, piece by piece. */
    static final class Builder {
        private final MessageDigest digest = sha256();

        void add(ByteBuf piece) {
            for (ByteBuffer buffer : piece.nioBuffers()) {
                digest.update(buffer);
            }
        }

        Identity build(OpenDocument open) {
            String hex = HexFormat.of().formatHex(digest.digest(), 0, TAG_BYTES);
            return new Identity(open.bytes(), '"' + hex + '"', open.version().modified());
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every Java platform has SHA-256", e);
            }
        }
    }
}
