// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.config.CounterUnits;

/**
 * The answer to HAProxy's agent-check: one line of words, and always the whole state, because HAProxy keeps what an
 * answer does not mention: {@code up ready 37% maxconn:12}, {@code up drain}, {@code down #available-memory 96.0 MiB}.
 */
final class AgentCheckLine {
    private static final int PERCENT = 100;

    private AgentCheckLine() {}

    /**
     * The line, with its end.
     *
     * @param maxConnections what the host takes at its full share; 0 leaves HAProxy's own limit alone
     */
    static String of(HostState state, int maxConnections) {
        return switch (state) {
            case HostState.Ready(double share) -> ready(percent(share), maxConnections) + "\n";
            case HostState.Draining() -> "up drain\n";
            case HostState.Relieved(var counter, double value) ->
                "down #" + counter.label() + " " + CounterUnits.rounded(counter, value) + "\n";
        };
    }

    private static String ready(int percent, int maxConnections) {
        String line = "up ready " + percent + "%";
        return maxConnections == 0 ? line : line + " maxconn:" + Math.max(1, maxConnections * percent / PERCENT);
    }

    /** Never 0 %: HAProxy would take that for a drained server. */
    private static int percent(double share) {
        return Math.max(1, (int) Math.round(share * PERCENT));
    }
}
