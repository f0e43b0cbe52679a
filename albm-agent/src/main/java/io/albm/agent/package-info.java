// SPDX-License-Identifier: Apache-2.0
/** Samples what a host feels, six counters by paper P1, and publishes them to the cluster when they change. */
@NullMarked
package io.albm.agent;

import org.jspecify.annotations.NullMarked;
