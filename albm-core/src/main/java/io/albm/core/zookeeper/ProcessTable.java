// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The processes that run on this machine. */
@FunctionalInterface
interface ProcessTable {
    /** When the process began, in clock ticks since boot; empty if no such process runs. */
    OptionalLong startTicks(long pid);

    /** Linux's own table. A zombie has ended already: it holds nothing but its exit code. */
    static ProcessTable ofThisMachine() {
        return pid -> {
            try {
                String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
                // The second field, the command's name in parentheses, may hold spaces and parentheses.
                String[] fromThird = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                boolean ended = fromThird[0].equals("Z") || fromThird[0].equals("X");
                return ended ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fromThird[19]));
            } catch (IOException ended) {
                return OptionalLong.empty();
            }
        };
    }
}
