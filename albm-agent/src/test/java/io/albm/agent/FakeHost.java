// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.cgroup.ContainerGroups;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        disks();
        write("sys/devices/system/cpu/online", "0-1\n");
    }

    HostFiles files() {
        return files(null);
    }

    HostFiles files(@Nullable Path container) {
        return new HostFiles(
                root.resolve("proc"),
                root.resolve("sys"),
                Optional.ofNullable(container).map(FakeHost::groups),
                InterfaceFilter.of(List.of()));
    }

    private static ContainerGroups groups(Path directory) {
        Optional<Path> same = Optional.of(directory);
        return new ContainerGroups(same, same, same, same);
    }

    void meminfo(long availableKib) {
        write("proc/meminfo", "MemTotal:  99999 kB\nMemFree:  5 kB\nMemAvailable:   " + availableKib + " kB\n");
    }

    void majorFaults(long count) {
        vmstat(count, 0, 0);
    }

    void vmstat(long majorFaults, long swapIns, long swapOuts) {
        write("proc/vmstat", """
                nr_free_pages 1
                pswpin %d
                pswpout %d
                pgfault 5000
                pgmajfault %d
                pgpgin 77777
                """.formatted(swapIns, swapOuts, majorFaults));
    }

    void swap(long totalKib, long freeKib) {
        write(
                "proc/meminfo",
                "MemTotal: 99999 kB\nMemAvailable: 1000 kB\nSwapTotal: " + totalKib + " kB\nSwapFree: " + freeKib
                        + " kB\n");
    }

    void pressure(String resource, long someTotalMicros) {
        write("proc/pressure/" + resource, """
                some avg10=0.00 avg60=0.00 avg300=0.00 total=%d
                full avg10=0.00 avg60=0.00 avg300=0.00 total=0
                """.formatted(someTotalMicros));
    }

    void disks(String... lines) {
        write("proc/diskstats", String.join("\n", lines) + "\n");
    }

    /** A line as the kernel prints it. */
    static String disk(String name, long sectorsRead, long sectorsWritten, long busyMillis) {
        return " 254       0 %s 317117 27428 %d 412157 318299 279380 %d 258655 0 %d 719693 208238 120 303038"
                .formatted(name, sectorsRead, sectorsWritten, busyMillis);
    }

    /** What {@code /sys} says of a block device. */
    void block(String name, String... slaves) {
        write("sys/block/" + name + "/size", "1\n");
        for (String slave : slaves) {
            write("sys/block/" + name + "/slaves/" + slave, "");
        }
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

    /** A v2 group with limits and a working set equal to its usage. */
    Path container(long memoryLimit, long memoryUsage, double processors) {
        memoryGroup(memoryLimit, memoryUsage);
        write("group/cpu.max", Math.round(processors * 100_000) + " 100000\n");
        containerCpu(0);
        return root.resolve("group");
    }

    void containerCpu(long usedMicros) {
        write("group/cpu.stat", "usage_usec " + usedMicros + "\nuser_usec 1\n");
    }

    /** A v2 memory group with a limit and without page cache. */
    Path memoryGroup(long limit, long usage) {
        write("group/memory.max", limit + "\n");
        write("group/memory.current", usage + "\n");
        write("group/memory.stat", "inactive_file 0\nactive_file 0\npgmajfault 0\n");
        return root.resolve("group");
    }

    /** Removes the group; as from the kernel, what it used cannot be read any more by who has its files open. */
    void removeContainer() {
        List.of("memory.current", "memory.stat", "cpu.stat").forEach(file -> write("group/" + file, ""));
        Stream.of("memory.max", "memory.current", "memory.stat", "cpu.max", "cpu.stat")
                .map(file -> root.resolve("group").resolve(file).toFile())
                .forEach(File::delete);
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
