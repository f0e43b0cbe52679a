// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.Digests;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/**
 * SHA-256 of a file that is still being put together, taken piece by piece of what is in place already: while a state comes over
 * the network the processors have time, and when its last page is there the job waits. The channel stays the caller's. Not
 * thread-safe.
 */
final class FileDigest {
    private static final int BUFFER = 1 << 16;

    private final FileChannel file;
    private final MessageDigest sha256 = Digests.sha256();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private long taken;

    FileDigest(FileChannel file) {
        this.file = file;
    }

    /** Takes the file up to a place, from where it was taken to before; those bytes are not to change any more. */
    void take(long end) throws IOException {
        while (taken < end) {
            buffer.clear().limit((int) Math.min(BUFFER, end - taken));
            int count = file.read(buffer, taken);
            if (count < 0) {
                throw new EOFException("it ends at " + taken + " bytes, before " + end);
            }
            sha256.update(buffer.flip());
            taken += count;
        }
    }

    /** Of what was taken, in lower-case hexadecimal. Done once. */
    String hex() {
        return Digests.hex(sha256.digest());
    }
}
