// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.cli.ExitCode;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Thresholds;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is done with the thresholds that were found: written to the live settings after a yes, and not otherwise.
 *
 * @param somebody who is asked; null to write without asking
 * @param settings changes the live settings of the distributors, and returns when that is done
 * @param notes where people read what came of it
 */
record ThresholdOffer(
        @Nullable Prompt somebody, Consumer<UnaryOperator<Map<String, String>>> settings, PrintWriter notes) {
    /** Makes the offer; the exit code of the command. */
    int of(Thresholds found) {
        if (found.levels().isEmpty()) {
            notes.println("no counter tells the knee: nothing is written");
            return ExitCode.FAILED;
        }
        if (somebody != null && !somebody.agrees("write these thresholds to the cluster?")) {
            notes.println("nothing is written; 'albm threshold set COUNTER RELIEVE RECOVER' sets one by hand");
            return ExitCode.DONE;
        }
        settings.accept(before -> with(found, before));
        notes.println("written: " + ThresholdSettings.text(found) + "; 'albm threshold reset' takes them back");
        return ExitCode.DONE;
    }

    private static Map<String, String> with(Thresholds found, Map<String, String> settings) {
        Map<String, String> changed = new TreeMap<>(settings);
        changed.putAll(ThresholdSettings.settings(found));
        return changed;
    }
}
