// SPDX-License-Identifier: Apache-2.0
/** {@code albm storage …}: files of the single I/O space from a terminal or a program. */
@NullMarked
package io.albm.storage.command;

import org.jspecify.annotations.NullMarked;
