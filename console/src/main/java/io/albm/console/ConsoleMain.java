// SPDX-License-Identifier: Apache-2.0
package io.albm.console;

import io.albm.console.terminal.Terminal;
import io.albm.console.web.ConsoleRole;
import io.albm.core.role.RoleLauncher;
import java.util.Set;

/** The main of the console's fat JAR: the terminal commands, and the role that serves the page. */
public final class ConsoleMain {
    private static final Set<String> OF_THE_ROLE = Set.of("run", "config");

    private ConsoleMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        if (args.length > 0 && OF_THE_ROLE.contains(args[0])) {
            RoleLauncher.main(new ConsoleRole(), args);
        } else {
            Terminal.main(args);
        }
    }
}
