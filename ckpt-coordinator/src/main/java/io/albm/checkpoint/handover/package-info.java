// SPDX-License-Identifier: Apache-2.0
/**
 * Checkpoints of any program: it hands its states over as files, and beside it runs what speaks to the supervisor in
 * its place.
 */
@NullMarked
package io.albm.checkpoint.handover;

import org.jspecify.annotations.NullMarked;
