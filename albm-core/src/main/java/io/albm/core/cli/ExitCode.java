// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a command's exit status means; 69 to 78 are those of {@code sysexits.h}. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int DEGRADED = 3;
    public static final int REFUSED = 4;
    public static final int ZOOKEEPER_UNREACHABLE = 69;
    public static final int NOT_ALLOWED = 77;
    public static final int CONFIG = 78;

    private ExitCode() {}

    /** One line of help for each, in order. */
    static Map<String, String> help() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put(" " + DONE, "done");
        lines.put(" " + FAILED, "failed, or a target missed");
        lines.put(" " + USAGE, "wrong usage");
        lines.put(" " + DEGRADED, "the cluster is degraded");
        lines.put(" " + REFUSED, "refused: not safe now");
        lines.put(ZOOKEEPER_UNREACHABLE + "", "ZooKeeper unreachable");
        lines.put(NOT_ALLOWED + "", "not allowed");
        lines.put(CONFIG + "", "bad configuration, or wrong Java");
        return lines;
    }
}
