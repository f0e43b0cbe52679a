// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which requests of a queue go first when there is room; the order is the order of service. */
public enum Priority {
    HIGH,
    NORMAL,
    LOW;

    /** As in the configuration. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Priority::id).toList();
    }
}
