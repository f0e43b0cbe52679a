// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.core.role.RoleLauncher;

/** The main class of the cache server's fat JAR. */
public final class CacheServerMain {

    private CacheServerMain() {}

    public static void main(String[] args) {
        RoleLauncher.main(new CacheServerRole(), args);
    }
}
