// SPDX-License-Identifier: Apache-2.0
/**
 * Commands on a terminal: help that reads like a man page, errors of one line, exit codes that a script can use.
 * Over picocli.
 */
@NullMarked
package io.albm.core.cli;

import org.jspecify.annotations.NullMarked;
