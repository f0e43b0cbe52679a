// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.ScrubReport;

/** A scrub or rebuild in words. */
final class ScrubText {
    private ScrubText() {}

    static String of(ScrubReport report) {
        StringBuilder text = new StringBuilder();
        text.append("%d blocks of %d files: %d missing, %d corrupt, %d made again (%s), %d orphans removed"
                .formatted(
                        report.checked(),
                        report.files(),
                        report.missing(),
                        report.corrupt(),
                        report.repaired(),
                        Sizes.text(report.repairedBytes()),
                        report.orphans()));
        report.unreachable().forEach(node -> text.append("\nno answer: ").append(node));
        report.failures().forEach(failure -> text.append("\nnot repaired: ").append(failure));
        text.append(MovedText.crowded(report.crowded()));
        return text.append(report.clean() ? "\nclean" : report.whole() ? "\nwhole" : "\nNOT WHOLE")
                .toString();
    }

    static int exitCode(ScrubReport report) {
        if (report.whole()) {
            return ExitCode.DONE;
        }
        return report.failures().isEmpty() ? ExitCode.DEGRADED : ExitCode.FAILED;
    }
}
