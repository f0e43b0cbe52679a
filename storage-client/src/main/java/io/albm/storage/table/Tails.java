// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * Where a leader keeps what is not durable yet.
 *
 * @param own on its own node
 * @param link to the others
 * @param copies how many other nodes must hold an entry before its answer is given; that many nodes may be lost
 */
record Tails(TableTail own, TailLink link, int copies) {}
