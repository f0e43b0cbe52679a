// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * A rank's state in the striped store.
 *
 * @param path a name that no other checkpoint ever has
 * @param size bytes
 * @param sha256 lower-case hexadecimal, of all bytes as read from the local copy
 */
public record StoredUnit(int rank, String path, long size, String sha256) {}
