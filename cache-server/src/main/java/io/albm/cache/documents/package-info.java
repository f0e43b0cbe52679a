// SPDX-License-Identifier: Apache-2.0
/**
 * Answers requests for documents of a store: conditional requests, ranges, heads that were encoded once. What is answered
 * is decided by pure classes; {@code DocumentHandler} sends it.
 */
@NullMarked
package io.albm.cache.documents;

import org.jspecify.annotations.NullMarked;
