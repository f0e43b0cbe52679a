// SPDX-License-Identifier: Apache-2.0
/** The tools that measure and prove: the demo, side-by-side benches, the papers' experiments. */
@NullMarked
package io.albm.bench;

import org.jspecify.annotations.NullMarked;
