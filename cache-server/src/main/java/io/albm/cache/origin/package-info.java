// SPDX-License-Identifier: Apache-2.0
/**
 * An HTTP origin as a source: a shared cache by RFC 9111. What may be stored, for how long, for whom and what has to be
 * asked first is decided by pure classes over {@link io.albm.cache.origin.Fields}; sockets are at the edge.
 */
@NullMarked
package io.albm.cache.origin;

import org.jspecify.annotations.NullMarked;
