// SPDX-License-Identifier: Apache-2.0
/** Processes that a run starts beside itself: they never outlive it, and their CPU time can be read. */
@NullMarked
package io.albm.bench.process;

import org.jspecify.annotations.NullMarked;
