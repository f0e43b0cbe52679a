// SPDX-License-Identifier: Apache-2.0
/**
 * Striped files: layout, parity, the storage protocol, and the client that writes, reads, repairs and rebuilds.
 * Start at {@link io.albm.storage.StripedStore} to use it and at {@link io.albm.storage.StripeLayout} to understand it.
 */
@NullMarked
package io.albm.storage;

import org.jspecify.annotations.NullMarked;
