// SPDX-License-Identifier: Apache-2.0
/**
 * Microbenchmarks. Each answers the question that its class comment asks; the first value of its {@code kind} is the
 * baseline that the others are compared with.
 */
@NullMarked
package io.albm.bench.jmh;

import org.jspecify.annotations.NullMarked;
