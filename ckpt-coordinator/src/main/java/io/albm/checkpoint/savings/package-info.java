// SPDX-License-Identifier: Apache-2.0
/**
 * What of a rank's state has to be stored: pages that are not zero and not stored yet, compressed where that gains
 * something; and the way back. Without I/O of its own.
 */
@NullMarked
package io.albm.checkpoint.savings;

import org.jspecify.annotations.NullMarked;
