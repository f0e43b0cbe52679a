// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** A pack where it is stored. */
public interface PackSource {
    /** Its length. */
    long bytes();

    /** Reads a range of it that it has. */
    CompletableFuture<byte[]> read(long offset, int length);

    /** A pack in memory. */
    static PackSource of(byte[] pack) {
        return new PackSource() {
            @Override
            public long bytes() {
                return pack.length;
            }

            @Override
            public CompletableFuture<byte[]> read(long offset, int length) {
                return CompletableFuture.completedFuture(Arrays.copyOfRange(pack, (int) offset, (int) offset + length));
            }
        };
    }
}
