// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A document whose every byte follows from the document and the byte's place, so that any part of it can be judged, and a
 * part of another document is never taken for it.
 *
 * @param path of the request, with a leading slash
 * @param length bytes
 * @param seed of its content, unique
 */
record PatternedDocument(String path, long length, long seed) {
    private static final int PART = 64 << 10;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /** Writes it below a directory. */
    void write(Path root) throws IOException {
        byte[] part = new byte[PART];
        try (OutputStream out = Files.newOutputStream(root.resolve(path.substring(1)))) {
            for (long position = 0; position < length; position += PART) {
                int bytes = (int) Math.min(PART, length - position);
                for (int i = 0; i < bytes; i++) {
                    part[i] = at(position + i);
                }
                out.write(part, 0, bytes);
            }
        }
    }

    /** Whether these are the bytes from that place on. */
    boolean matches(byte[] bytes, int count, long position) {
        for (int i = 0; i < count; i++) {
            if (bytes[i] != at(position + i)) {
                return false;
            }
        }
        return true;
    }

    /** Of each word of eight bytes, mixed as SplitMix64 does. */
    private byte at(long position) {
        long word = seed * GOLDEN + (position >>> 3);
        word = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
        word = (word ^ (word >>> 27)) * 0x94d049bb133111ebL;
        return (byte) (word >>> ((position & 7) << 3));
    }
}
