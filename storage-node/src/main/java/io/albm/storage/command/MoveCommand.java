// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.PutMode;
import io.albm.storage.StoragePath;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm storage mv}. */
@Command(
        name = "mv",
        description = {
            "Give a file or directory another name, in one step; no block moves.",
            "If TO is a directory, it goes into that."
        },
        footer = {"  albm storage mv /runs/7/part /runs/7/results.tar", "  albm storage mv /runs/7 /old/"})
final class MoveCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "FROM", description = "Its name in the storage.")
    private String from = "";

    @Parameters(paramLabel = "TO", description = "Its new name, or the directory that it goes into.")
    private String to = "";

    @Option(names = "--replace", description = "Take the place of a file, or of an empty directory, that is there.")
    private boolean replace;

    /** What was done, for programs. */
    record Moved(String from, String to) {}

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            String now = store.rename(from, directory(to), replace ? PutMode.REPLACE : PutMode.CREATE);
            Moved moved = new Moved(StoragePath.of(from).value(), now);
            output.print(moved, () -> moved.from() + " is " + moved.to() + " now");
            return ExitCode.DONE;
        });
    }

    /** A slash at the end is how people say that they mean a directory. */
    private static String directory(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
