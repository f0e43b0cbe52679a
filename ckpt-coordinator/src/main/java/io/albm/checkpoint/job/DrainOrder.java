// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.LocalCopy;

/**
 * One rank's local copy that goes to the striped store.
 *
 * @param base the complete checkpoint whose pages are not stored again; 0 for none
 * @param epoch of the coordinator who asks for it: the fence of what is written
 */
public record DrainOrder(long checkpoint, long base, int rank, LocalCopy copy, long epoch) {}
