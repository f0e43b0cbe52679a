// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments on cache servers before slow disks, under the load of SURGE: paper P2's figures 6 and 7 ({@code albm
 * experiment window-cache}), and a second server behind the distributor ({@code albm experiment cluster-cache}).
 */
@NullMarked
package io.albm.bench.caching;

import org.jspecify.annotations.NullMarked;
