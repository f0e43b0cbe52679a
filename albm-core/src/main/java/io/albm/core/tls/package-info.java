// SPDX-License-Identifier: Apache-2.0
/**
 * Certificates on disk and what they are good for.
 * Loaded as a set, chosen by server name, replaced while connections go on.
 */
@NullMarked
package io.albm.core.tls;

import org.jspecify.annotations.NullMarked;
