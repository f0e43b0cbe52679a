// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * The durable record of a complete checkpoint, in {@code committed/<number>}. That it exists is the commit.
 *
 * @param manifest path in the striped store
 * @param manifestSha256 of the manifest's bytes
 * @param bytes of all ranks
 * @param newBytes of these, what were pages that were not zero and not stored yet
 * @param storedBytes what was stored for them, without parity
 * @param millis from the begin of the checkpoint to its commit, as the committing coordinator saw it
 * @param times when, and how long each phase took
 */
public record Committed(
        long number,
        String manifest,
        String manifestSha256,
        long step,
        long epoch,
        long bytes,
        long newBytes,
        long storedBytes,
        int groupSize,
        long millis,
        CheckpointTimes times) {}
