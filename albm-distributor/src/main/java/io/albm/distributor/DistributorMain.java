// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.role.RoleLauncher;

/** The main class of the distributor's fat JAR. */
public final class DistributorMain {
    private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

    private DistributorMain() {}

    public static void main(String[] args) {
        // Netty samples one buffer in 128 with two stack traces, which costs 4 % of a small request; the tests do that.
        System.setProperty(LEAK_DETECTION, System.getProperty(LEAK_DETECTION, "disabled"));
        RoleLauncher.main(new DistributorRole(), args);
    }
}
