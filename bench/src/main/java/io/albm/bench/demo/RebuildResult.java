// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

/**
 * How the replacement of a storage node went.
 *
 * @param repaired blocks made again on it, by the node itself or by the demo
 * @param whole whether nothing is missing on it any more
 * @param millis from the replaced node's being ready until nothing was missing
 */
record RebuildResult(long repaired, boolean whole, long millis) {}
