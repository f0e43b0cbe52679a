// SPDX-License-Identifier: Apache-2.0
/**
 * Time that comes in by constructor.
 * A simulated twin lives in the simulation kit.
 */
@NullMarked
package io.albm.core.time;

import org.jspecify.annotations.NullMarked;
