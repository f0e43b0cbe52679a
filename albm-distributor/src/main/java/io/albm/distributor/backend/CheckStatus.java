// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import org.jspecify.annotations.Nullable;

/**
 * What health checks of a backend have come to.
 *
 * @param last what the last one found, by HAProxy's names: {@code INI} (none yet), {@code L4OK}, {@code L4CON}, {@code L7OK},
 *     {@code L7STS}
 * @param text why it failed; null if it did not
 * @param failed checks that ever failed
 * @param downs how often the backend went down or was ejected
 * @param sinceSeconds since when it is up or down without a break
 * @param downSeconds for how long it was down in all
 * @param rise good checks in a row that bring it up
 * @param fall bad checks in a row that take it down
 */
public record CheckStatus(
        String last,
        @Nullable String text,
        long failed,
        long downs,
        long sinceSeconds,
        long downSeconds,
        int rise,
        int fall) {}
