// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Units;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm top}. */
@Command(
        name = "top",
        description =
                "Show what 'albm status' shows, again and again, until Ctrl-C. On a terminal the screen is redrawn.",
        footer = {"  albm top", "  albm top --interval 500ms", "  albm top --count 1"})
final class TopCommand implements Callable<Integer> {
    /** Each look asks all processes. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            description = "Time between two looks; default ${DEFAULT-VALUE}.")
    private String interval = "2 s";

    @Option(names = "--count", paramLabel = "N", description = "Stop after so many looks; default: never.")
    private long count = Long.MAX_VALUE;

    @Override
    public Integer call() throws InterruptedException {
        if (count < 1) {
            throw new CliException(ExitCode.USAGE, "--count " + count + ": expected 1 or more");
        }
        Duration pause = pause();
        Ansi ansi = Ansi.stdout();
        try (ClusterConnection connection = options.connect()) {
            StatusReader reader = new StatusReader(connection.cluster(), connection.zooKeeper());
            int exitCode = ExitCode.DONE;
            for (long look = 0; look < count; look++) {
                if (look > 0) {
                    Thread.sleep(pause);
                }
                ClusterStatus status = reader.read(options.record());
                System.out.print((ansi.enabled() ? HOME_AND_CLEAR : "") + Instant.now() + "\n"
                        + new StatusText(ansi, Instant.now()).render(status) + "\n");
                exitCode = status.exitCode();
            }
            return exitCode;
        }
    }

    private Duration pause() {
        String expected = "--interval '" + interval + "': expected a duration such as 500ms or 2s, 100ms at least";
        try {
            Duration pause = Units.parseDuration(interval);
            if (pause.compareTo(SHORTEST) >= 0) {
                return pause;
            }
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, expected, e);
        }
        throw new CliException(ExitCode.USAGE, expected);
    }
}
