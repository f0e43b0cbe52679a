// SPDX-License-Identifier: Apache-2.0
package io.albm.console;

import io.albm.console.terminal.Terminal;
import io.albm.console.web.ConsoleRole;
import io.albm.core.role.RoleLauncher;
import io.albm.core.zookeeper.server.ZooKeeperMain;
import java.util.Arrays;

/** The main of the console's fat JAR: its role, the terminal commands, and the ZooKeeper of a local cluster. */
public final class ConsoleMain {
    private static final String ZOOKEEPER = "zookeeper";

    private ConsoleMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        if (Terminal.handles(args)) {
            Terminal.main(args);
        } else if (args.length > 0 && args[0].equals(ZOOKEEPER)) {
            ZooKeeperMain.main(Arrays.copyOfRange(args, 1, args.length));
        } else {
            RoleLauncher.main(new ConsoleRole(), args);
        }
    }
}
