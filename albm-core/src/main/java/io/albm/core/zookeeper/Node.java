// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import org.apache.zookeeper.data.Stat;

/** A node as read. */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared as a record
record Node(byte[] data, int version, long owner) {
    static Node of(byte[] data, Stat stat) {
        return new Node(data, stat.getVersion(), stat.getEphemeralOwner());
    }
}
