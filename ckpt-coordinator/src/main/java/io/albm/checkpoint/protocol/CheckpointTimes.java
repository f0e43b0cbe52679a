// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.time.Instant;

/**
 * When a checkpoint was taken and how long its phases took.
 *
 * @param savedAt when the last rank had saved, by the coordinator's wall clock: for people, and for whoever asks for a
 *     checkpoint before some time; it may jump, and no decision of the protocol knows it
 * @param stallMillis from the begin until all ranks ran on, as the coordinator saw it
 * @param drainMillis from then, or from the take-over by another coordinator, until all states were stored
 * @param verifyMillis from then until the storage had confirmed all of them, and the manifest
 */
public record CheckpointTimes(Instant savedAt, long stallMillis, long drainMillis, long verifyMillis) {}
