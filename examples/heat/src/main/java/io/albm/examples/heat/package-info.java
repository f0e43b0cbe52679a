// SPDX-License-Identifier: Apache-2.0
/**
 * The 2-D heat equation over ranks: a real job to checkpoint.
 * Written against the public participant API only.
 */
@NullMarked
package io.albm.examples.heat;

import org.jspecify.annotations.NullMarked;
