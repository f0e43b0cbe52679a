// SPDX-License-Identifier: Apache-2.0
/** Traces of requests, driven through the cache server's own policies and window. */
@NullMarked
package io.albm.bench.cache;

import org.jspecify.annotations.NullMarked;
