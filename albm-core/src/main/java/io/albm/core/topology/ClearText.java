// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which protocols are spoken where there is no TLS, and so no ALPN, to agree on one. */
public enum ClearText {
    /** HTTP/2 if the client begins with its preface, else HTTP/1.1. */
    ANY,
    HTTP1,
    HTTP2;

    /** As in the configuration. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(ClearText::id).toList();
    }
}
