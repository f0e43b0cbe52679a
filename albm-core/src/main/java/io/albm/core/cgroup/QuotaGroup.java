// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A machine with a slow processor, as far as the processes in it can tell: a control group of its own below this process's
 * group, which all threads of its processes together may run in for a share of the time. Nothing is held back before
 * {@link #hold}. Closing ends the processes in it and removes it.
 */
public final class QuotaGroup implements AutoCloseable {
    /** Short, so that who has used his share up waits for some milliseconds and not for a tenth of a second. */
    private static final int PERIOD_MICROS = 10_000;

    /** The kernel takes no less. */
    private static final double LEAST_PROCESSORS = 0.1;

    private final ChildGroup group;

    private QuotaGroup(ChildGroup group) {
        this.group = group;
    }

    /**
     * Makes the group.
     *
     * @param name of letters, unique among the groups that this process makes
     * @throws NotPermittedException if this machine does not let us
     */
    public static QuotaGroup create(String name) throws IOException, NotPermittedException {
        return new QuotaGroup(ChildGroup.create(ChildGroup.Controller.PROCESSORS, name, made -> {
            if (made.isLegacy()) {
                made.set("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
            }
        }));
    }

    /** Writing a process id here moves the process into the group. */
    public Path members() {
        return group.members();
    }

    /**
     * Holds its processes to that much from now on.
     *
     * @param processors at a time on average, at least 0.1
     */
    public void hold(double processors) throws IOException {
        if (!(processors >= LEAST_PROCESSORS)) {
            throw new IllegalArgumentException(
                    "a quota of " + processors + " processors: expected at least " + LEAST_PROCESSORS);
        }
        set(Long.toString(Math.round(processors * PERIOD_MICROS)));
    }

    /** Lets its processes run as they like from now on. */
    public void lift() throws IOException {
        set(group.isLegacy() ? "-1" : "max");
    }

    private void set(String quota) throws IOException {
        if (group.isLegacy()) {
            group.set("cpu.cfs_quota_us", quota);
        } else {
            group.set("cpu.max", quota + " " + PERIOD_MICROS);
        }
    }

    @Override
    public void close() throws IOException {
        group.close();
    }
}
