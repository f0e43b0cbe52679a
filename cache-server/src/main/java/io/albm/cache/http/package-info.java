// SPDX-License-Identifier: Apache-2.0
/**
 * A server of HTTP/1: connections on bytes, pipelining in order, limits and timeouts. What a request is answered with is
 * said by a {@code RequestHandler}, the seam between this package and the engines.
 */
@NullMarked
package io.albm.cache.http;

import org.jspecify.annotations.NullMarked;
