// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * A pack in the striped store.
 *
 * @param bytes its length there
 * @param pageBytes bytes of the pages in it, before compression
 */
public record Pack(PackId id, long bytes, long pageBytes) {}
