// SPDX-License-Identifier: Apache-2.0
/**
 * {@code albm experiment albm}: paper P1's section 4 with real processes, real memory limits and real paging: what each
 * routing policy, ours and haproxy's, makes of servers that run short of memory.
 */
@NullMarked
package io.albm.bench.experiment;

import org.jspecify.annotations.NullMarked;
