// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * The room of a file system, which {@code df} shows.
 *
 * @param blockBytes the unit of the block counts
 * @param blocks in all
 * @param freeBlocks free
 * @param files inodes in all; 0 if that has no limit
 * @param freeFiles inodes free
 */
public record Space(int blockBytes, long blocks, long freeBlocks, long files, long freeFiles) {}
