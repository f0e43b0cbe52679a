// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.Priority;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.routing.RoutedRequest;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

/** Somebody who waits in a {@link WaitingRoom}. All but the last method is called on his loop. */
interface Guest extends RoutedRequest {
    /** Who picks a backend for him. */
    BackendChooser chooser();

    Priority priority();

    /** Since when he waits; fixed before he enters. */
    long sinceNanos();

    /** Whether a backend has failed him, so that what holds for him may not hold for others. */
    boolean isRetry();

    EventExecutor loop();

    /** The place at that backend is his; null if no backend may take him any more. */
    void admitted(@Nullable Backend backend);

    /** There is no place for him, and he is not to wait any longer. */
    void turnedAway(String reason);

    /** Takes a place at that backend, if it has one. Called under the room's lock, while he waits. */
    boolean reserve(Backend backend);
}
