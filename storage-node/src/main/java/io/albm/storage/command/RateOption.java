// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.config.Key;
import io.albm.storage.StripedStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How fast work that can wait may go. */
final class RateOption {
    private static final Key<Long> RATE =
            Key.size("rate", 1L << 30, 1, Long.MAX_VALUE, "Bytes per second that the nodes read, write and verify.");

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            description =
                    "Bytes per second that the nodes read, write and verify for it, all together, such as 100 MiB."
                            + " Unless given, as fast as nodes go that let all others go first.")
    private @Nullable String rate;

    StripedStore in(StripedStore store) {
        return rate == null ? store : store.withRate(RATE.parse(rate, "command line --rate"));
    }
}
