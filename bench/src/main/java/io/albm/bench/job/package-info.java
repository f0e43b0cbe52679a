// SPDX-License-Identifier: Apache-2.0
/** Jobs of {@code albm job run} as benches and the demo start them. */
@NullMarked
package io.albm.bench.job;

import org.jspecify.annotations.NullMarked;
