// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.Priority;
import io.albm.distributor.backend.BackendChooser;

/**
 * Where a request goes.
 *
 * @param pool whose backends
 * @param chooser which of them: by the pool's policy, or by the frontend's
 * @param priority who goes first when requests have to wait
 */
public record Destination(Pool pool, BackendChooser chooser, Priority priority) {}
