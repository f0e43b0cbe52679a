// SPDX-License-Identifier: Apache-2.0
/**
 * How a command finds the cluster that it is about, and waits for its answers.
 * The same options and the same errors for every command of every module.
 */
@NullMarked
package io.albm.core.access;

import org.jspecify.annotations.NullMarked;
