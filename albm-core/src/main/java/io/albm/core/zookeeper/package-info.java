// SPDX-License-Identifier: Apache-2.0
/**
 * The cluster in ZooKeeper, and ZooKeeper embedded. The only package that knows Curator and ZooKeeper: everything else
 * sees {@link io.albm.core.cluster}.
 */
@NullMarked
package io.albm.core.zookeeper;

import org.jspecify.annotations.NullMarked;
