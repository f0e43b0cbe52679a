// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.albm.core.node.NodeId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A storage node and how it takes part.
 *
 * @param domain what it fails with; null if it has left
 * @param space its room; null if it did not answer
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeInfo(
        NodeId id,
        State state,
        @Nullable FailureDomain domain,
        @Nullable NodeSpace space) {
    /** How a node takes part. */
    public enum State {
        /** It keeps blocks and gets new ones. */
        SERVING,
        /** It keeps blocks and gets no new ones. */
        RETIRING,
        /** It was retired and has left. */
        RETIRED,
        /** It is a member of the cluster, and does not answer. */
        SILENT;

        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
