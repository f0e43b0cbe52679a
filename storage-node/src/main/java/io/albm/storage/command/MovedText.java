// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.ScrubReport;

/** What moved, in words. */
final class MovedText {
    private MovedText() {}

    static String of(ScrubReport report) {
        StringBuilder text = new StringBuilder("moved %d blocks (%s) of %d segments"
                .formatted(report.repaired(), Sizes.text(report.repairedBytes()), report.files()));
        report.failures().forEach(failure -> text.append("\nnot moved: ").append(failure));
        return text.append(crowded(report.crowded())).toString();
    }

    /** A line about segments that do not bear the loss of a failure domain; nothing if there are none. */
    static String crowded(long segments) {
        return segments == 0
                ? ""
                : "\n%d segments have more units in a failure domain than may be lost".formatted(segments);
    }

    static int exitCode(ScrubReport report) {
        return report.failures().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
