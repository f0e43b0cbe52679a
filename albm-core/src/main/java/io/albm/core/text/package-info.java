// SPDX-License-Identifier: Apache-2.0
/**
 * Names as people type them.
 * Finds the name that was meant.
 */
@NullMarked
package io.albm.core.text;

import org.jspecify.annotations.NullMarked;
