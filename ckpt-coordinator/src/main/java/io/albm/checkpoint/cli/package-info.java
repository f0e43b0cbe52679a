// SPDX-License-Identifier: Apache-2.0
/**
 * The commands {@code albm job} and {@code albm ckpt}.
 */
@NullMarked
package io.albm.checkpoint.cli;

import org.jspecify.annotations.NullMarked;
