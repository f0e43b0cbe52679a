// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which process wrote a node, so that another one can tell whether it still runs. A process id alone is used again and
 * means nothing on another machine, in another container, or after a restart of the machine.
 *
 * @param boot the kernel's random id of this boot; empty where it cannot be known
 * @param pidNamespace within which the process id counts
 * @param uid a process may be hidden from other users
 * @param startTicks when the process began, in the kernel's clock ticks since boot
 * @param instance tells two connections of one process apart
 */
record ProcessToken(String boot, String pidNamespace, int uid, long pid, long startTicks, String instance) {
    static ProcessToken ofThisProcess(ProcessTable processes) {
        long pid = ProcessHandle.current().pid();
        return new ProcessToken(
                readBoot(),
                readPidNamespace(),
                readUid(),
                pid,
                processes.startTicks(pid).orElse(0),
                UUID.randomUUID().toString());
    }

    /** Whether this process can see in its process table if the other one lives. */
    boolean canSee(ProcessToken other) {
        return !boot.isEmpty()
                && boot.equals(other.boot)
                && pidNamespace.equals(other.pidNamespace)
                && uid == other.uid
                && pid != other.pid;
    }

    private static String readBoot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException unknown) {
            return "";
        }
    }

    private static String readPidNamespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException unknown) {
            return "";
        }
    }

    private static int readUid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException unknown) {
            return -1;
        }
    }
}
