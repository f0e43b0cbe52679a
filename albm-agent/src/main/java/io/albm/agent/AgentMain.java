// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.role.RoleLauncher;

/** Starts an agent, one on each host. */
public final class AgentMain {
    private AgentMain() {}

    /** {@code run}, {@code config} or {@code --help}. */
    public static void main(String[] arguments) {
        RoleLauncher.main(new AgentRole(), arguments);
    }
}
