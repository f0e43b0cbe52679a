// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.core.role.RoleLauncher;

/** Runs a coordinator, or one of the commands {@code job} and {@code ckpt}. */
public final class CoordinatorMain {
    private CoordinatorMain() {}

    /** Never returns. */
    public static void main(String[] args) {
        RoleLauncher.main(new CoordinatorRole(), args);
    }
}
