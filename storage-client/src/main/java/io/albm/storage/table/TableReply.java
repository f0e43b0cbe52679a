// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What the leader of the file table answers; JSON, in the body of a frame.
 *
 * @param position of the log's batch that holds the change, or, of a question, of the last batch that its answer shows
 * @param lease what a client that asks for leases is told beside the outcome; null for all others
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TableReply(
        long position, TableOutcome outcome, @Nullable LeaseNotice lease) {
    TableReply(long position, TableOutcome outcome) {
        this(position, outcome, null);
    }
}
