// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendSettings;
import io.albm.distributor.proxy.ProxyStats;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What every pool is made of, and what holds where a pool says nothing.
 *
 * @param control keeps the books of all pools
 * @param blocking for what must not hold up that loop
 * @param clients makes connections for health checks
 * @param onRetired told about each backend that is taken out for good
 */
record PoolParts(
        EventLoop control,
        Executor blocking,
        MonotonicClock clock,
        Bootstrap clients,
        ProxyStats stats,
        Consumer<Backend> onRetired,
        BackendSettings settings,
        int queueSize,
        Duration queueTimeout,
        boolean announceWaiting) {}
