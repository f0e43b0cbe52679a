// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * Why a backend gets no new requests although it is healthy.
 *
 * @param sinceNanos when it was relieved, by the clock of the views
 * @param counter which counter crossed its level
 * @param value the counter's value at that time
 */
public record Relief(long sinceNanos, String counter, double value) {}
