// SPDX-License-Identifier: Apache-2.0
/**
 * What a proxy does with messages of HTTP: forwards them by copying the lines that need no change, says HTTP/2 in
 * HTTP/1.1, finds routes. Pure classes without sockets, time or threads, over those of {@code io.albm.core.http}.
 */
@NullMarked
package io.albm.distributor.http;

import org.jspecify.annotations.NullMarked;
