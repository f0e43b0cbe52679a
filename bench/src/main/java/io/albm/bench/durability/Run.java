// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

/**
 * What a run came to.
 *
 * @param loss an unbiased estimate of the probability that a run loses data; of a single run it may exceed 1
 * @param segmentsLost an unbiased estimate of the segments that the first loss of a run takes, where none counts 0
 * @param drawnLoss whether a failure was drawn that loses data; the estimate of plain Monte Carlo if nothing is biased
 */
record Run(double loss, double segmentsLost, boolean drawnLoss) {}
