// SPDX-License-Identifier: Apache-2.0
/**
 * What a cluster is made of: nodes with a name, an address and a role, and the counters and health that they report.
 * Values only; each checks itself and converts from and to text.
 */
@NullMarked
package io.albm.core.node;

import org.jspecify.annotations.NullMarked;
