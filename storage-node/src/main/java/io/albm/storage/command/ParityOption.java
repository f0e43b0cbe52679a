// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.config.Key;
import io.albm.storage.StripeGeometry;
import io.albm.storage.StripeSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many nodes may be lost at once without losing what a command stores. */
final class ParityOption {
    private static final Key<Integer> PARITY =
            Key.integer("parity", 1, 0, StripeGeometry.MAX_PARITY_UNITS, "Parity units of a stripe.");

    @Option(
            names = "--parity",
            paramLabel = "M",
            description =
                    "How many nodes may be lost at once: parity units of a stripe, 0 to 2, which takes one node more"
                            + " at least. Unless given, what the storage nodes are set to.")
    private @Nullable String parity;

    boolean isGiven() {
        return parity != null;
    }

    StripeSettings in(StripeSettings settings) {
        return parity == null ? settings : settings.withParityUnits(PARITY.parse(parity, "command line --parity"));
    }
}
