// SPDX-License-Identifier: Apache-2.0
/**
 * The rank's end of what it and its supervisor share: lines of text and files of states. Used by the participant library
 * within a program, and by the hand-over beside one. No dependencies.
 */
@NullMarked
package io.albm.checkpoint.rank;

import org.jspecify.annotations.NullMarked;
