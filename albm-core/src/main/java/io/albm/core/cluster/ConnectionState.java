// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/** The way to the directory, as the client library reports it. */
public enum ConnectionState {
    /** Never connected since the start; attempts go on. */
    CONNECTING,
    /** Views follow, writes go through. */
    CONNECTED,
    /** The connection broke; the session, and with it every ephemeral node of this process, may still live. */
    SUSPENDED,
    /** The session is over: this process's membership and leadership are gone until it is connected again. */
    LOST
}
