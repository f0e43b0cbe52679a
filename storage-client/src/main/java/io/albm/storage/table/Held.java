// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * What a {@link TableTail} holds after an append.
 *
 * @param promised the epoch below which it takes nothing; above the leader's own if that is over
 * @param last it has all entries of the leader up to this one, from the durable ones on
 */
record Held(long promised, long last) {}
