// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A host whose kernel files are written by the test. */
final class FakeHost {
    private final Path root;

    FakeHost(Path root) {
        this.root = root;
        meminfo(1000);
        majorFaults(0);
        runnable(1);
        cpu(0, 0);
        network(0, 0);
        established(0);
        write("sys/devices/system/cpu/online", "0-1\n");
    }

    HostFiles files() {
        return files(Optional.empty());
    }

    HostFiles files(Optional<Path> memoryGroup) {
        return new HostFiles(root.resolve("proc"), root.resolve("sys"), memoryGroup, InterfaceFilter.of(List.of()));
    }

    void meminfo(long availableKib) {
        write("proc/meminfo", "MemTotal:  99999 kB\nMemFree:  5 kB\nMemAvailable:   " + availableKib + " kB\n");
    }

    void majorFaults(long count) {
        write("proc/vmstat", "nr_free_pages 1\npgfault 5000\npgmajfault " + count + "\npgpgin 77777\n");
    }

    void runnable(int threads) {
        write("proc/loadavg", "0.05 0.09 0.07 " + threads + "/104 6649\n");
    }

    void cpu(long busyTicks, long idleTicks) {
        write("proc/stat", "cpu  " + busyTicks + " 0 0 " + idleTicks + " 0 0 0 0 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    }

    void network(long received, long sent) {
        write("proc/net/dev", """
                Inter-|   Receive                                                |  Transmit
                 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
                    lo:    3193      29    0    0    0     0          0         0     3193      29    0
                  eth0: %d    5653    0    0    0     0          0         0   %d    4950    0
                """.formatted(received, sent));
    }

    void established(int connections) {
        write("proc/net/snmp", """
                Ip: Forwarding DefaultTTL
                Ip: 1 64
                Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens CurrEstab InSegs
                Tcp: 1 200 120000 -1 34 %d 5642
                Udp: InDatagrams
                Udp: 12
                """.formatted(connections));
    }

    /** A v2 memory group with a limit and a working set equal to its usage. */
    Path memoryGroup(long limit, long usage) {
        write("group/memory.max", limit + "\n");
        write("group/memory.current", usage + "\n");
        write("group/memory.stat", "inactive_file 0\npgmajfault 0\n");
        return root.resolve("group");
    }

    Path write(String name, String text) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
