// SPDX-License-Identifier: Apache-2.0
/**
 * A small HTTP server for people and monitoring: admin ports and the console. Not for the data path, which streams.
 */
@NullMarked
package io.albm.core.web;

import org.jspecify.annotations.NullMarked;
