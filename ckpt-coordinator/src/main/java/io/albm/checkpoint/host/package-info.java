// SPDX-License-Identifier: Apache-2.0
/** Ranks on other hosts: the role job-host, and how a supervisor speaks to it. */
@NullMarked
package io.albm.checkpoint.host;

import org.jspecify.annotations.NullMarked;
