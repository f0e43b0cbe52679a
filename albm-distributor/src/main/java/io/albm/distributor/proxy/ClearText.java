// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import java.util.Arrays;
import java.util.List;

/** Which protocols are spoken where there is no TLS, and so no ALPN, to agree on one. */
public enum ClearText {
    /** HTTP/2 if the client begins with its preface, else HTTP/1.1. */
    ANY("any"),
    HTTP1("http1"),
    HTTP2("http2");

    private final String id;

    ClearText(String id) {
        this.id = id;
    }

    /** As in the configuration. */
    public String id() {
        return id;
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(ClearText::id).toList();
    }

    /**
     * The one of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ClearText of(String id) {
        return Arrays.stream(values())
                .filter(one -> one.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "clear-text protocol '" + id + "': expected one of " + String.join(", ", ids())));
    }
}
