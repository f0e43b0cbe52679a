// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a frontend speaks with its clients. */
public enum FrontendMode {
    /** HTTP: each request goes its own way. */
    HTTP,
    /** Anything over TCP: each connection goes to one backend. */
    TCP;

    /** As in the configuration. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(FrontendMode::id).toList();
    }
}
