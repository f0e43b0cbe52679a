// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend as a policy sees it. Everything but the in-flight count is fixed when the view is made.
 *
 * @param id unique in its view, and the same backend in every view
 * @param available whether health checks, agent and operator all let it take new requests
 * @param inFlight requests that this distributor has sent and that are not answered in full; read at each pick
 * @param report the host's last report; null if it never came or is too old to be believed
 */
public record BackendView(
        String id,
        boolean available,
        IntSupplier inFlight,
        @Nullable HostReport report) {}
