// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Interval;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Key;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When a job is checkpointed: one of three ways, and the bounds of those that follow the measured cost. */
final class IntervalOptions {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Key<Duration> INTERVAL =
            Key.duration("interval", Duration.ofSeconds(5), SHORTEST, LONGEST, "Time between checkpoints.");
    private static final Key<Duration> MTBF = Key.duration(
            "mtbf",
            Duration.ofHours(24),
            Duration.ofSeconds(1),
            Duration.ofDays(3650),
            "Mean time between failures of the job.");
    private static final Key<Double> PERCENT = Key.decimal("overhead", 2, 0.01, 50, "Share of the job's time.");

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "From one checkpoint to the next, such as 500ms, 5s, 10m. Default: 5s")
    private @Nullable String interval;

    @Option(
            names = "--overhead",
            paramLabel = "PERCENT",
            description =
                    "As often as the ranks' waiting for checkpoints, measured, takes this share of the job's time,"
                            + " such as 2%%.")
    private @Nullable String overhead;

    @Option(
            names = "--mtbf",
            paramLabel = "TIME",
            description =
                    "As often as loses least time (Daly 2006) by the measured cost, if a failure of any of the job's"
                            + " nodes comes once in this time, such as 24h.")
    private @Nullable String mtbf;

    @Option(
            names = "--shortest-interval",
            paramLabel = "TIME",
            description = "With --overhead or --mtbf, and before the first checkpoint. Default: 1s")
    private @Nullable String shortest;

    @Option(names = "--longest-interval", paramLabel = "TIME", description = "With --overhead or --mtbf. Default: 1h")
    private @Nullable String longest;

    /**
     * What was chosen.
     *
     * @throws CliException if two ways were chosen, or bounds for a fixed interval
     */
    Interval interval() {
        if (Stream.of(interval, overhead, mtbf).filter(given -> given != null).count() > 1) {
            throw usage("--interval, --overhead and --mtbf are three ways to say when; give one of them");
        }
        if (overhead != null) {
            String number = overhead.endsWith("%") ? overhead.substring(0, overhead.length() - 1) : overhead;
            return new Interval.OverheadBudget(PERCENT.parse(number, "--overhead"), limits());
        }
        if (mtbf != null) {
            return new Interval.YoungDaly(MTBF.parse(mtbf, "--mtbf").toMillis(), limits());
        }
        if (shortest != null || longest != null) {
            throw usage("--shortest-interval and --longest-interval bound --overhead or --mtbf; give one of these");
        }
        return new Interval.Fixed(millis(interval, Duration.ofSeconds(5), "--interval"));
    }

    private Interval.Limits limits() {
        long from = millis(shortest, Duration.ofSeconds(1), "--shortest-interval");
        long to = millis(longest, Duration.ofHours(1), "--longest-interval");
        if (to < from) {
            throw usage("--longest-interval " + to + " ms is below --shortest-interval " + from + " ms");
        }
        return new Interval.Limits(from, to);
    }

    private static long millis(@Nullable String given, Duration otherwise, String option) {
        return given == null
                ? otherwise.toMillis()
                : INTERVAL.parse(given, option).toMillis();
    }

    private static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, message);
    }
}
