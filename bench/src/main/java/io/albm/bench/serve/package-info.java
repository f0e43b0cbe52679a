// SPDX-License-Identifier: Apache-2.0
/**
 * {@code albm bench cache-serve}: the cache server beside nginx and Varnish, with the same documents, under the same
 * load, taking turns.
 */
@NullMarked
package io.albm.bench.serve;

import org.jspecify.annotations.NullMarked;
