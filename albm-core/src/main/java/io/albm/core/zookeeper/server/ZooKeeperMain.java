// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper.server;

import io.albm.core.role.RoleLauncher;

/** A ZooKeeper server as a process of the cluster: {@code run}, {@code config}. */
public final class ZooKeeperMain {
    private ZooKeeperMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        RoleLauncher.main(new ZooKeeperRole(), args);
    }
}
