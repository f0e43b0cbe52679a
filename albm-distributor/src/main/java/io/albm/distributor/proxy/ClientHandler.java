// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

/** A client's connection, of whatever protocol, to its {@link Worker}. */
interface ClientHandler {
    /** Where it came in. */
    Frontend frontend();

    /** Serves what is in hand and then closes. */
    void drain();

    /** Closes at once, or nearly so. */
    void close();
}
