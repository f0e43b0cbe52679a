// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import org.jspecify.annotations.Nullable;

/**
 * An answer about leases.
 *
 * @param call what was said
 * @param sent when the call was sent that was answered, in nanoseconds of the client's clock
 * @param notice null from a leader that knows of no leases
 */
record LeaseReply(TableCall.Lease call, long sent, @Nullable LeaseNotice notice) {}
