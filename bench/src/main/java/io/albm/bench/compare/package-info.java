// SPDX-License-Identifier: Apache-2.0
/**
 * Side-by-side runs of HTTP servers: ours and its peers take turns under the same load, and what counts is CPU per
 * request, from the kernel's books.
 */
@NullMarked
package io.albm.bench.compare;

import org.jspecify.annotations.NullMarked;
