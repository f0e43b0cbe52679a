// SPDX-License-Identifier: Apache-2.0
/** {@code albm bench cache-memory}: does the cache server keep to its bounds, and serve right bytes, under mixed load? */
@NullMarked
package io.albm.bench.bounds;

import org.jspecify.annotations.NullMarked;
