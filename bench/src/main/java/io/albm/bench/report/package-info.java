// SPDX-License-Identifier: Apache-2.0
/**
 * What every {@code albm bench NAME} says in the end: ratios against a peer of the same run, and targets that hold
 * or do not.
 */
@NullMarked
package io.albm.bench.report;

import org.jspecify.annotations.NullMarked;
