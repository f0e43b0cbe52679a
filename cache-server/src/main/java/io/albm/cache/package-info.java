// SPDX-License-Identifier: Apache-2.0
/** The cache server: the role, its settings, and how its parts are put together. */
@NullMarked
package io.albm.cache;

import org.jspecify.annotations.NullMarked;
