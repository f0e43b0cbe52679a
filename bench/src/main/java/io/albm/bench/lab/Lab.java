// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import io.albm.bench.process.Pod;
import io.albm.bench.process.ProcessGroup;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts behind a switch, as {@code scripts/lab} makes them, for threads of this process: a socket belongs to the network
 * namespace of the thread that makes it. Everything of it is in a {@link Pod}: whoever of us is killed, the kernel takes it away,
 * so that a later start finds nothing of an earlier one. Thread-safe.
 */
public final class Lab implements AutoCloseable {
    private final LabShape shape;
    private final Pod pod;
    private final List<LabHost> hosts = new ArrayList<>();

    private Lab(LabShape shape, Pod pod) {
        this.shape = shape;
        this.pod = pod;
    }

    /**
     * Makes one.
     *
     * @param home of the installation, where the script is
     * @throws CliException without root, or if the kernel lacks something
     */
    public static Lab start(ProcessGroup processes, Path home, String name, LabShape shape) throws IOException {
        if (!isRoot()) {
            throw new CliException(
                    ExitCode.FAILED, "the lab takes root: it makes network namespaces; run this as root, or with sudo");
        }
        String script = home.resolve("scripts/lab").toString().replace("'", "'\\''");
        Pod pod = Pod.start(
                processes, name, "sh '%s' --inside %s true".formatted(script, String.join(" ", shape.options())));
        Lab lab = new Lab(shape, pod);
        try {
            for (int i = 0; i <= shape.hosts(); i++) {
                lab.hosts.add(LabHost.enter(i, pod.proc().resolve("root/run/netns/h" + i)));
            }
            return lab;
        } catch (IOException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    /** Whether this process may make one. */
    public static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** What it was asked for. */
    public LabShape shape() {
        return shape;
    }

    /** By its number, 1 to as many as there are; 0 is the one without bounds. */
    public LabHost host(int number) {
        return hosts.get(number);
    }

    /** Bytes that the switch has sent to a host, heads included. */
    public long bytesTo(int host) throws IOException {
        return NetDevice.parse(Files.readString(pod.proc().resolve("net/dev")), "s" + host)
                .sentBytes();
    }

    /** Of all hosts since it was made. */
    public TcpSegments segments() throws IOException {
        TcpSegments all = TcpSegments.NONE;
        for (LabHost host : hosts) {
            all = all.plus(host.segments());
        }
        return all;
    }

    /** Which all others of it die with. */
    ProcessHandle firstProcess() {
        return ProcessHandle.of(Long.parseLong(pod.proc().getFileName().toString()))
                .orElseThrow();
    }

    /** What the kernel says of the switch's ports: {@code tc -s -j qdisc show}. */
    String portsAsJson() throws IOException {
        return pod.run("tc", "-s", "-j", "qdisc", "show");
    }

    /** Ends the hosts' threads and takes everything away. */
    @Override
    public void close() {
        try {
            hosts.forEach(LabHost::close);
        } finally {
            pod.close();
        }
    }
}
