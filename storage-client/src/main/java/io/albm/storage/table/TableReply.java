// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * What the leader of the file table answers; JSON, in the body of a frame.
 *
 * @param position of the log's batch that holds the change, or, of a question, of the last batch that its answer shows
 */
public record TableReply(long position, TableOutcome outcome) {}
