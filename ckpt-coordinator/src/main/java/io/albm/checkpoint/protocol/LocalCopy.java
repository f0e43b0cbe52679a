// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * A rank's state on the disk of its own node: the rank's vote that it may run on.
 *
 * @param size bytes
 * @param crc32c of all bytes, computed by the rank while it wrote
 */
public record LocalCopy(long size, long crc32c) {}
