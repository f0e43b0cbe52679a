// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How lines of the access log look. */
public enum AccessFormat {
    /** The format of NCSA httpd. */
    COMMON,
    /** The common one with referer and user agent. */
    COMBINED,
    /** One JSON object for each line, with backend and time taken. */
    JSON;

    /** As in the configuration. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(AccessFormat::id).toList();
    }
}
