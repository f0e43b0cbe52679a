// SPDX-License-Identifier: Apache-2.0
/**
 * What a node sees of its cluster: who is a member, how the members feel, live settings, who leads, and a small tree for
 * decisions that must hold. No type here knows ZooKeeper.
 */
@NullMarked
package io.albm.core.cluster;

import org.jspecify.annotations.NullMarked;
