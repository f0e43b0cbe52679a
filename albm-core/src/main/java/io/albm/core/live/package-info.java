// SPDX-License-Identifier: Apache-2.0
/**
 * Settings of a role that operators change while it serves, through the cluster's configuration: taken over as a whole
 * or refused as a whole.
 */
@NullMarked
package io.albm.core.live;

import org.jspecify.annotations.NullMarked;
