// SPDX-License-Identifier: Apache-2.0
/**
 * How log lines look.
 * slf4j over logback; stderr, for people or as JSON.
 */
@NullMarked
package io.albm.core.log;

import org.jspecify.annotations.NullMarked;
