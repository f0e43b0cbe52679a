// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The attributes to set; what is empty stays. The kernel has checked that the caller may.
 *
 * @param mode permissions with set-id and sticky bits
 * @param handle the open file that is truncated, if it is by one
 * @param killSetIds the change of size takes the set-id bits away; a change of owner or group always does
 */
public record AttributeChange(
        OptionalInt mode,
        OptionalInt uid,
        OptionalInt gid,
        OptionalLong size,
        Optional<Instant> accessed,
        Optional<Instant> modified,
        Optional<Instant> changed,
        OptionalLong handle,
        boolean killSetIds) {}
