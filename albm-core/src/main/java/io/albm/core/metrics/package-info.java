// SPDX-License-Identifier: Apache-2.0
/**
 * What a process counts: plain adders in hot code, read by Prometheus text and by one MXBean under the same names.
 */
@NullMarked
package io.albm.core.metrics;

import org.jspecify.annotations.NullMarked;
