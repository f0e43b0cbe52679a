// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.role.RoleLauncher;

/** The main class of the distributor's fat JAR. */
public final class DistributorMain {
    private DistributorMain() {}

    public static void main(String[] args) {
        RoleLauncher.main(new DistributorRole(), args);
    }
}
