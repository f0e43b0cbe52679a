// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * Who asks: the process behind a request.
 *
 * @param uid its user for file systems, who owns what it makes
 * @param gid its group for file systems
 * @param pid 0 if the kernel itself asks
 */
public record Caller(int uid, int gid, int pid) {}
