// SPDX-License-Identifier: Apache-2.0
package io.albm.console;

import io.albm.console.terminal.Terminal;

/** The main of the console's fat JAR: the terminal commands. */
public final class ConsoleMain {
    private ConsoleMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        Terminal.main(args);
    }
}
