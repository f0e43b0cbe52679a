// SPDX-License-Identifier: Apache-2.0
/**
 * What stays in main memory: eviction policies and the scheduling window that tells them what comes next.
 * Pure and deterministic; the server, the trace simulator and the microbenchmarks run the same classes.
 */
@NullMarked
package io.albm.cache.policy;

import org.jspecify.annotations.NullMarked;
