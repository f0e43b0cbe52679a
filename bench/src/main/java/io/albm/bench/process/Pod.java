// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import io.albm.core.cli.CliException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A peer's own world: namespaces of mounts, network and processes. Peers make daemons, mounts and state in the system's
 * folders; all of that is in here, and is gone with the pod, however the run ends. They also want an address that is not
 * loopback, which only this world has.
 */
public final class Pod implements AutoCloseable {
    /** Of the world's only host. */
    public static final String ADDRESS = "10.77.0.1";

    /**
     * {@code unshare} blocks SIGTERM, so somebody in front of it turns that into a SIGKILL, and the kernel passes it on to
     * the first process of the world ({@code --kill-child}), and so to all of them.
     */
    private static final String OUTSIDE = "setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child"
            + " --mount-proc sh -c \"$1\" & trap \"kill -KILL $!\" TERM; wait";

    private static final Duration START_BOUND = Duration.ofSeconds(20);
    private static final Duration COMMAND_BOUND = Duration.ofMinutes(1);
    private static final int RETRY_MILLIS = 250;

    private final ProcessGroup processes;
    private final String name;
    private final ChildProcess outside;
    private final long first;
    private final List<String> enter;

    private Pod(ProcessGroup processes, String name, ChildProcess outside, long first) {
        this.processes = processes;
        this.name = name;
        this.outside = outside;
        this.first = first;
        this.enter = List.of("nsenter", "--target", Long.toString(first), "--mount", "--net", "--pid");
    }

    /**
     * Makes one.
     *
     * @param setup what is done in it at first, such as mounts over the system's folders; shell commands
     */
    public static Pod start(ProcessGroup processes, String name, String setup) throws IOException {
        ChildProcess outside = processes.start(name, List.of("sh", "-c", OUTSIDE, name, inside(setup)));
        outside.awaitReady(START_BOUND);
        return new Pod(processes, name, outside, onlyChild(onlyChild(outside.pid())));
    }

    /** What the first process does: it is there until it is killed, and sees to children that lost their parents. */
    private static String inside(String setup) {
        return "set -e; ip link set lo up; ip addr add %s/32 dev lo; %s; echo READY now; while :; do sleep 1000 & wait; done"
                .formatted(ADDRESS, setup);
    }

    private static long onlyChild(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(parent -> parent.children().findFirst())
                .orElseThrow(() -> new IllegalStateException("process " + pid + " has no child"))
                .pid();
    }

    /** What is put before a command that shall run in here. */
    public List<String> enter() {
        return enter;
    }

    /** Starts a server, in the foreground. */
    public ChildProcess start(String server, List<String> command) throws IOException {
        return processes.start(server, entering(command));
    }

    /** Runs a command to its end. */
    public String run(String... command) throws IOException {
        return processes.run(name + "-command", entering(List.of(command)), COMMAND_BOUND);
    }

    /** Runs a command until it succeeds: a server has started then. */
    public void awaitSuccess(ChildProcess server, String... command) {
        server.await("ready", START_BOUND, () -> succeeds(command));
    }

    private boolean succeeds(String... command) {
        try {
            run(command);
            return true;
        } catch (CliException | IOException e) {
            pause();
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the kernel says of its first process, seen from outside: its files ({@code root}) and its network ({@code net}). */
    public Path proc() {
        return Path.of("/proc", Long.toString(first));
    }

    /** Ends all that is in it, before the group's other processes. */
    @Override
    public void close() {
        processes.stop(outside);
    }

    private List<String> entering(List<String> command) {
        List<String> all = new ArrayList<>(enter);
        all.addAll(command);
        return all;
    }
}
