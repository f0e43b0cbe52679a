// SPDX-License-Identifier: Apache-2.0
/** Where a process's control groups are (v1, v2 or both at once) and what their counters say. */
@NullMarked
package io.albm.core.cgroup;

import org.jspecify.annotations.NullMarked;
