// SPDX-License-Identifier: Apache-2.0
/** One process of any role: from its command line to ready, and from SIGTERM to its end. */
@NullMarked
package io.albm.core.role;

import org.jspecify.annotations.NullMarked;
