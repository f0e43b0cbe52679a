// SPDX-License-Identifier: Apache-2.0
/**
 * One typed configuration per role: name, unit, range, default and one sentence for each key.
 * Command line before environment before file before built-in; unknown keys stop the start.
 */
@NullMarked
package io.albm.core.config;

import org.jspecify.annotations.NullMarked;
