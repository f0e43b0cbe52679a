// SPDX-License-Identifier: Apache-2.0
/** Samples what a host feels, the six counters of paper P1 and more, and publishes them to the cluster when they change. */
@NullMarked
package io.albm.agent;

import org.jspecify.annotations.NullMarked;
