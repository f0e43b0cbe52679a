// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What the leader of the file table answers; JSON, in the body of a frame.
 *
 * @param position of the log's batch that holds the change, or, of a question, of the last batch that its answer shows
 * @param durable of the log's last batch that is durable
 * @param epoch of the leader: positions of another may name other batches, unless they are durable
 * @param lease what a client that asks for leases is told beside the outcome; null for all others
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record TableReply(
        long position,
        long durable,
        long epoch,
        TableOutcome outcome,
        @Nullable LeaseNotice lease) {
    /** About leases alone, and nothing in the log. */
    TableReply(long position, TableOutcome outcome, @Nullable LeaseNotice lease) {
        this(position, 0, 0, outcome, lease);
    }
}
