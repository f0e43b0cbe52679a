// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.role.RoleLauncher;

/** Runs a storage node, or a storage command. */
public final class StorageNodeMain {
    private StorageNodeMain() {}

    public static void main(String[] args) {
        RoleLauncher.main(new StorageNodeRole(), args);
    }
}
