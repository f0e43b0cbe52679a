// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import java.lang.management.ManagementFactory;
import java.time.Instant;

/** Which software runs, and since when. */
final class Build {

    private Build() {}

    static String version() {
        var version = Build.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }

    static Instant started() {
        return Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
    }
}
