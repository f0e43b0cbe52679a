// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether and how a backend of a TCP frontend is told who its client is, before the first byte: the PROXY protocol. */
public enum ProxyGreeting {
    NONE,
    V1,
    V2;

    /** As in the configuration. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(ProxyGreeting::id).toList();
    }
}
