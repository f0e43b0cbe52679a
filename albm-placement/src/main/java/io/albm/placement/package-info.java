// SPDX-License-Identifier: Apache-2.0
/** The placement role: watches the nodes' memory and answers where containers would go. */
@NullMarked
package io.albm.placement;

import org.jspecify.annotations.NullMarked;
