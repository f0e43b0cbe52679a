// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the checks of one backend have come to: how many failed, how often it went down, since when it is as it is, and
 * for how long it was down in all. Confined to the directory's thread.
 */
final class CheckBook {
    /** What a check found. */
    enum Finding {
        NOT_CHECKED,
        PASSED,
        ANSWERED_BADLY,
        UNANSWERED
    }

    private Finding last = Finding.NOT_CHECKED;
    private @Nullable String lastText;
    private long failed;
    private long wentDown;
    private boolean down;
    private long changedNanos;
    private long downNanos;

    /** A book that is opened. */
    CheckBook(long nowNanos) {
        this.changedNanos = nowNanos;
    }

    void checked(Finding finding, @Nullable String text) {
        last = finding;
        lastText = text;
        failed += finding == Finding.ANSWERED_BADLY || finding == Finding.UNANSWERED ? 1 : 0;
    }

    /** Takes in whether it is down now. */
    void look(boolean isDown, long nowNanos) {
        if (isDown == down) {
            return;
        }
        downNanos += down ? nowNanos - changedNanos : 0;
        wentDown += isDown ? 1 : 0;
        down = isDown;
        changedNanos = nowNanos;
    }

    /** The book as of now. */
    CheckStatus status(BackendSettings settings, long nowNanos) {
        return new CheckStatus(
                word(settings.checksByConnecting()),
                lastText,
                failed,
                wentDown,
                TimeUnit.NANOSECONDS.toSeconds(nowNanos - changedNanos),
                TimeUnit.NANOSECONDS.toSeconds(downNanos + (down ? nowNanos - changedNanos : 0)),
                settings.rise(),
                settings.fall());
    }

    private String word(boolean byConnecting) {
        return switch (last) {
            case NOT_CHECKED -> "INI";
            case PASSED -> byConnecting ? "L4OK" : "L7OK";
            case ANSWERED_BADLY -> "L7STS";
            case UNANSWERED -> "L4CON";
        };
    }
}
