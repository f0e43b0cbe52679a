// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Key;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is simulated, and for how long. */
final class DurabilityOptions {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final long GIBIBYTE = 1L << 30;

    private static final Key<Integer> NODES =
            Key.integer("nodes", 1000, Layout.WIDEST.width() + 1, 10_000, "Storage nodes.");
    private static final Key<Duration> MTBF = Key.duration(
            "mtbf",
            Duration.ofHours(87_600),
            Duration.ofHours(1),
            Duration.ofHours(2_000_000),
            "Mean time between failures of a node.");
    private static final Key<Duration> DELAY = Key.duration(
            "delay", Duration.ofHours(1), Duration.ZERO, Duration.ofHours(8760), "Until a rebuild begins.");
    private static final Key<Long> DATA =
            Key.size("data-per-node", 4096 * GIBIBYTE, 1 << 20, 1L << 50, "What a node holds.");
    private static final Key<Long> DISK =
            Key.size("disk-bandwidth", 100L << 20, 1 << 20, 1024 * GIBIBYTE, "A disk's bytes per second.");
    private static final Key<Long> NETWORK =
            Key.size("network-bandwidth", GIBIBYTE, 1 << 20, 1024 * GIBIBYTE, "A network's bytes per second.");
    private static final Key<Integer> SEGMENTS =
            Key.integer("segments", 1_000_000, 1000, 5_000_000, "Segments that are stored.");
    private static final Key<Integer> YEARS = Key.integer("years", 10_000, 100, 1_000_000, "Simulated years.");

    private static final String FEWER_SEGMENTS = "100000";
    private static final String FEWER_YEARS = "1000";

    @Option(names = "--nodes", paramLabel = "N", description = "Storage nodes (default: 1000).")
    private @Nullable String nodes;

    @Option(
            names = "--mtbf",
            paramLabel = "DURATION",
            description = "Mean time between failures of one node that lose all it holds (default: 87600h, ten years).")
    private @Nullable String mtbf;

    @Option(
            names = "--delay",
            paramLabel = "DURATION",
            description =
                    "From a failure until its rebuild begins: somebody or something has to notice" + " (default: 1h).")
    private @Nullable String delay;

    @Option(
            names = "--data-per-node",
            paramLabel = "SIZE",
            description = "What a node holds and a rebuild makes again (default: 4TiB).")
    private @Nullable String dataPerNode;

    @Option(
            names = "--disk-bandwidth",
            paramLabel = "SIZE",
            description = "Bytes per second of a node's disk that rebuilds get (default: 100MiB).")
    private @Nullable String diskBandwidth;

    @Option(
            names = "--network-bandwidth",
            paramLabel = "SIZE",
            description = "Bytes per second of a node's network, in each direction, that rebuilds get (default: 1GiB).")
    private @Nullable String networkBandwidth;

    @Option(
            names = "--segments",
            paramLabel = "N",
            description = "Segments that are stored, each placed by itself; a file that was written in one go is one"
                    + " (default: 1000000, with --quick 100000).")
    private @Nullable String segments;

    @Option(
            names = "--years",
            paramLabel = "N",
            description = "Years that are simulated for each layout (default: 10000, with --quick 1000).")
    private @Nullable String years;

    @Option(names = "--seed", paramLabel = "N", description = "Of all that is random (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--transfer-times",
            paramLabel = "KIND",
            description = "Whether the transfer of a rebuild always takes its mean time (FIXED) or is distributed"
                    + " without memory, as Markov models have it (EXPONENTIAL) (default: ${DEFAULT-VALUE}).")
    private TransferTimes transferTimes = TransferTimes.FIXED;

    ClusterModel cluster() {
        return new ClusterModel(
                value(NODES, nodes, null),
                hours(value(MTBF, mtbf, null)),
                value(DATA, dataPerNode, null),
                value(DISK, diskBandwidth, null),
                value(NETWORK, networkBandwidth, null),
                hours(value(DELAY, delay, null)));
    }

    int segments(boolean shorter) {
        return value(SEGMENTS, segments, shorter ? FEWER_SEGMENTS : null);
    }

    int years(boolean shorter) {
        return value(YEARS, years, shorter ? FEWER_YEARS : null);
    }

    long seed() {
        return seed;
    }

    TransferTimes transferTimes() {
        return transferTimes;
    }

    /** What has to be the same, beside the cluster, for the same figures. */
    String simulated(boolean shorter) {
        return String.format(
                Locale.ROOT,
                "%,d segments, %,d years, transfer times %s, seed %d",
                segments(shorter),
                years(shorter),
                transferTimes,
                seed);
    }

    private static double hours(Duration duration) {
        return duration.toSeconds() / SECONDS_PER_HOUR;
    }

    private static <T> T value(Key<T> key, @Nullable String given, @Nullable String otherDefault) {
        String text = given != null ? given : otherDefault != null ? otherDefault : key.defaultText();
        try {
            return key.parse(text, "command line --" + key.name());
        } catch (ConfigException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
