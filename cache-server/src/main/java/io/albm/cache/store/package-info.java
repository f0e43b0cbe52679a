// SPDX-License-Identifier: Apache-2.0
/**
 * Whole documents in main memory: bounded, reference-counted, read once for all that wait.
 * {@link io.albm.cache.store.DocumentStore} is the engine and opens with its rules.
 */
@NullMarked
package io.albm.cache.store;

import org.jspecify.annotations.NullMarked;
