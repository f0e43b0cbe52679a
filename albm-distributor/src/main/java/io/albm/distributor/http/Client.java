// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Whom requests come from, as backends are told.
 *
 * @param address without its port, in ASCII
 * @param secure whether the client's connection is encrypted
 */
@SuppressWarnings("ArrayRecordComponent") // made once for a connection, written for each request, never compared
public record Client(byte[] address, boolean secure) {
    /** The client at the other end of a connection. */
    public static Client of(InetSocketAddress address, boolean secure) {
        return new Client(address.getAddress().getHostAddress().getBytes(StandardCharsets.US_ASCII), secure);
    }
}
