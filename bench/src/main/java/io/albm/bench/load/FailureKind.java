// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

/** Why a request did not count as answered. */
public enum FailureKind {
    /** No connection to the server. */
    CONNECT,
    /** The connection ended before the whole response was there. */
    CUT,
    /** No whole response within the bound. */
    TIMEOUT,
    /** An answer other than 200. */
    STATUS,
    /** Length or digest differ from the document's. */
    WRONG_BODY,
    /** So many requests waited for a connection that one more would not have been sent in time. */
    OVERFLOW
}
