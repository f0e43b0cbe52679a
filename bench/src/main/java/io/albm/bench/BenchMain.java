// SPDX-License-Identifier: Apache-2.0
package io.albm.bench;

import io.albm.bench.demo.DemoCommand;
import io.albm.core.cli.Commands;
import picocli.CommandLine.Model.CommandSpec;

/** The main of the bench fat JAR. */
public final class BenchMain {
    private BenchMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        Commands.main(root(), args);
    }

    /** All commands of this JAR: a new one is a line here. */
    private static CommandSpec root() {
        CommandSpec root = Commands.group("albm", "Measure, and prove on this machine.");
        root.addSubcommand("demo", CommandSpec.forAnnotatedObject(new DemoCommand()));
        return root;
    }
}
