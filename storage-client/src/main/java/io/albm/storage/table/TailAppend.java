// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.List;

/**
 * What a leader asks a {@link TableTail} to hold. Entries of the log are numbered from 1 on, over all epochs.
 *
 * @param epoch of the leader
 * @param durable the last entry that is durable; it and all before may be forgotten
 * @param first the number of the first of {@code entries}
 * @param entries lines of the log
 */
record TailAppend(long epoch, long durable, long first, List<byte[]> entries) {}
