// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * What a block says about itself, on the wire and on disk.
 *
 * @param length bytes of its body, 0 to 16 MiB
 * @param crc32c CRC32C of its body
 */
public record BlockHeader(BlockId id, int length, int crc32c) {
    public BlockHeader {
        if (length < 0 || length > StripeGeometry.MAX_UNIT_BYTES) {
            throw new IllegalArgumentException("block of " + length + " bytes: expected 0 to 16 MiB");
        }
    }
}
