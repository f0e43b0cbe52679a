// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.storage.ScrubReport;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm storage scrub}. */
@Command(
        name = "scrub",
        description = {
            "Check every block on every live node, make missing and corrupt ones again from their stripes, and remove"
                    + " what no file needs.",
            "Exits 0 if all blocks are right now, 1 if some could not be repaired, 3 if a node did not answer."
        },
        footer = "  albm storage scrub --json")
final class ScrubCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private RateOption rate = new RateOption();

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            ScrubReport report = scrub(rate.in(store));
            output.print(report, () -> ScrubText.of(report));
            return ScrubText.exitCode(report);
        });
    }

    private static ScrubReport scrub(StripedStore store) throws IOException {
        try (ProgressLine progress = ProgressLine.open("scrub", 0)) {
            return store.scrub(store.nodes(), progress::blocks);
        }
    }
}
