// SPDX-License-Identifier: Apache-2.0
/**
 * What a distributor serves: frontends, routes, pools and weights, as flat keys that a file and the cluster's live
 * settings share. Pure: it parses and checks; binding and connecting belong to the distributor.
 */
@NullMarked
package io.albm.core.topology;

import org.jspecify.annotations.NullMarked;
