// SPDX-License-Identifier: Apache-2.0
/** Paper P4's experiment on this machine: how much containers slow each other down through memory. */
@NullMarked
package io.albm.placement.interference;

import org.jspecify.annotations.NullMarked;
