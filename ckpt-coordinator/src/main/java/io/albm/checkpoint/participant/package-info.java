// SPDX-License-Identifier: Apache-2.0
/**
 * What a program uses to take part in checkpoints: one class, no dependencies.
 * The only package that jobs see.
 */
@NullMarked
package io.albm.checkpoint.participant;

import org.jspecify.annotations.NullMarked;
