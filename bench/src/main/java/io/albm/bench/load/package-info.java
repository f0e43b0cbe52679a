// SPDX-License-Identifier: Apache-2.0
/** Open-loop HTTP load that checks every byte: document trees, popularity, arrivals, latency from the intended start. */
@NullMarked
package io.albm.bench.load;

import org.jspecify.annotations.NullMarked;
