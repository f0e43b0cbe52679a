// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.job;

/**
 * What a job said about itself.
 *
 * @param hash of its final field; empty if it printed none
 * @param checkpoints committed
 * @param rollbacks to a checkpoint, not to the beginning
 * @param longestRollbackMillis from the death of a rank until all ranks ran again
 */
public record JobResult(String hash, int checkpoints, int rollbacks, long longestRollbackMillis) {}
