// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * Room on one I/O node, in bytes.
 *
 * @param capacity what blocks may take in all
 * @param used what blocks take now
 * @param free what more blocks may take: bound by the capacity and by the disk
 * @param blocks number of blocks
 */
public record NodeSpace(long capacity, long used, long free, long blocks) {}
