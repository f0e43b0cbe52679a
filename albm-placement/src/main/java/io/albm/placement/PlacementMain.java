// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.role.RoleLauncher;

/** Starts a placement engine, or runs {@code albm placement}. */
public final class PlacementMain {
    private PlacementMain() {}

    /** {@code run}, {@code config}, {@code placement} or {@code --help}. */
    public static void main(String[] arguments) {
        RoleLauncher.main(new PlacementRole(), arguments);
    }
}
