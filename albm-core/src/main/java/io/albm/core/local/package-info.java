// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster of real processes on this machine, for 'albm up', the demo and the integration tests.
 * Starts, watches, kills, restarts and stops them; signals nothing that it did not start.
 */
@NullMarked
package io.albm.core.local;

import org.jspecify.annotations.NullMarked;
