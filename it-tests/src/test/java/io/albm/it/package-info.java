// SPDX-License-Identifier: Apache-2.0
/**
 * Real processes, started as a user starts them.
 * The launcher, the local cluster, and faults.
 */
@NullMarked
package io.albm.it;

import org.jspecify.annotations.NullMarked;
