// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP/1.1 in front of the document store: GET and HEAD, conditional requests, single ranges, pipelining in order.
 * What a response says is decided by pure classes; {@code ConnectionHandler} moves it.
 */
@NullMarked
package io.albm.cache.http;

import org.jspecify.annotations.NullMarked;
