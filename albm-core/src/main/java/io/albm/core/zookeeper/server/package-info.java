// SPDX-License-Identifier: Apache-2.0
/** ZooKeeper as a process of the cluster. A package of its own, because every role's process builds on the one above. */
@NullMarked
package io.albm.core.zookeeper.server;

import org.jspecify.annotations.NullMarked;
