// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.core.node.Role;
import io.albm.core.role.RoleLauncher;
import java.util.Arrays;

/** Runs a coordinator, a job-host, or one of the commands {@code job} and {@code ckpt}. */
public final class CoordinatorMain {
    private CoordinatorMain() {}

    /** Never returns. */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(Role.JOB_HOST.id())) {
            RoleLauncher.main(new JobHostRole(), Arrays.copyOfRange(args, 1, args.length));
        } else {
            RoleLauncher.main(new CoordinatorRole(), args);
        }
    }
}
