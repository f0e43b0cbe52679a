// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

/**
 * A rank's process ended by itself.
 *
 * @param exit its exit code; 128 and the number of a signal that killed it
 */
public record RankExit(int attempt, int rank, long pid, int exit) {}
