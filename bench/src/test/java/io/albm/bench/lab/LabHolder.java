// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import io.albm.bench.process.ProcessGroup;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code HOME BASE}: a process that holds a lab and a directory until it is killed. Prints READY and a network of the lab. */
final class LabHolder {
    private LabHolder() {}

    public static void main(String... arguments) throws Exception {
        MemoryDirectory memory = MemoryDirectory.make(Path.of(arguments[1]));
        Lab lab = Lab.start(ProcessGroup.in(memory.path()), Path.of(arguments[0]), "held", new LabShape(1, 100, 16384));
        System.out.println(
                "READY " + lab.host(1).call(() -> Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net"))));
        Thread.sleep(Long.MAX_VALUE);
    }
}
