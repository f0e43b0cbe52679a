// SPDX-License-Identifier: Apache-2.0
/**
 * The simulation kit: one seeded event queue, and simulated twins of clock, network, disk and coordination store.
 * Production classes run on it unchanged; a failure prints the seed that replays it.
 */
@NullMarked
package io.albm.core.sim;

import org.jspecify.annotations.NullMarked;
