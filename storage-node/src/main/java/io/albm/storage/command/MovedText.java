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
        return text.toString();
    }

    static int exitCode(ScrubReport report) {
        return report.failures().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
