// SPDX-License-Identifier: Apache-2.0
/**
 * JSON at the edges: membership entries, counter reports, terminal and web output.
 * Never on a hot path.
 */
@NullMarked
package io.albm.core.json;

import org.jspecify.annotations.NullMarked;
