// SPDX-License-Identifier: Apache-2.0
/**
 * Where documents come from: safe document paths, and a directory that is never left.
 * A source is blocking; only virtual threads call it.
 */
@NullMarked
package io.albm.cache.source;

import org.jspecify.annotations.NullMarked;
