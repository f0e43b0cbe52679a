// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.albm.storage.Inode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the leader tells a client of its leases.
 *
 * @param client to whom
 * @param epoch of the leadership; leases end with it
 * @param recalls the number of the last recall
 * @param recalled the directories whose recalls the client has not confirmed
 * @param grants the number of the last lease that the client was given, which is this one if it is
 * @param names the inodes of all names in the directory of which a lease is given; null if these are too many, or none is
 * @param sole whether nobody else has a lease on it
 * @param directory that directory itself; null if no lease is given
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LeaseNotice(
        String client,
        long epoch,
        long recalls,
        List<Long> recalled,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long grants,
        @Nullable Map<String, Long> names,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean sole,
        @Nullable Inode directory) {
    public LeaseNotice {
        recalled = recalled == null ? List.of() : List.copyOf(recalled);
    }
}
