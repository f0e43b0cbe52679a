// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Inode;
import io.albm.storage.StorageException;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients change names of their own and look at each other's, while leaders die and pause, commits break and messages are
 * lost. Whatever was answered must have happened, once, and must be seen by everybody from then on.
 */
class TableSimTest {
    private static final int CLIENTS = 4;
    private static final int CHANGES = 40;
    private static final int FILE = 0100644;
    private static final Duration TROUBLE = Duration.ofSeconds(40);

    /** What everybody must see of a name; changes while its owner changes it. */
    private record Known(long version, State state) {}

    private enum State {
        PRESENT,
        ABSENT,
        UNKNOWN
    }

    private final Map<String, Known> names = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int ended;
    private int looked;
    private int unknown;

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAnsweredHasHappenedOnceAndStays(long seed) {
        Simulation simulation = new Simulation(seed);
        SimDirectory directory = new SimDirectory(simulation, SimTable.SESSION);
        SimTable table = new SimTable(simulation, directory, 3);
        directory.breakCommits(0.1);
        table.lose(0.05);
        disturb(simulation, table);
        for (int client = 0; client < CLIENTS; client++) {
            SimNode process = new SimNode(simulation, "client-" + client);
            RemoteFileTable remote = table.client(process);
            change(simulation, process, remote, client, 0);
            look(simulation, process, remote);
        }

        simulation.runUntil(() -> ended == CLIENTS, Duration.ofMinutes(10), "the clients' end");
        directory.breakCommits(0);
        table.lose(0);
        List<String> seen = new ArrayList<>();
        SimNode auditor = new SimNode(simulation, "auditor");
        RemoteFileTable remote = table.client(auditor);
        names.keySet().forEach(name -> look(remote, name, () -> seen.add(name)));
        simulation.runUntil(() -> seen.size() == names.size(), Duration.ofMinutes(2), "the audit");

        assertThat(wrong).isEmpty();
        assertThat(table.troubled()).isFalse();
        assertThat(looked).isGreaterThan(CLIENTS);
        assertThat(unknown).isLessThan(CLIENTS * CHANGES / 4);
    }

    private void disturb(Simulation simulation, SimTable table) {
        simulation.schedule(simulation.between(Duration.ofMillis(200), Duration.ofSeconds(4)), "disturb", () -> {
            if (simulation.clock().nanoTime() < TROUBLE.toNanos()) {
                table.disturb(table.nodes()
                        .get(simulation.random().nextInt(table.nodes().size())));
                disturb(simulation, table);
            }
        });
    }

    /** Makes a name, and another, and takes one of them away. */
    private void change(Simulation simulation, SimNode process, RemoteFileTable remote, int client, int step) {
        if (step == CHANGES) {
            ended++;
            return;
        }
        String name = "f-" + client + "-" + step / 2;
        boolean makes = step % 2 == 0;
        TableRequest<?> request = makes
                ? new TableCommand.Make(Inode.ROOT, name, FILE, 0, 0, 0, null)
                : new TableCommand.Unlink(Inode.ROOT, name, false);
        boolean keep = !makes && simulation.chance(0.5);
        if (keep || (!makes && known(name).state() != State.PRESENT)) {
            change(simulation, process, remote, client, step + 1);
            return;
        }
        State before = known(name).state();
        become(name, State.UNKNOWN);
        remote.ask(request).whenComplete((answer, failure) -> {
            State after = makes ? State.PRESENT : State.ABSENT;
            if (failure == null) {
                become(name, after);
            } else {
                failed(name, request, before, FencedStore.cause(failure));
            }
            process.after(
                    simulation.between(Duration.ZERO, Duration.ofSeconds(2)),
                    "next change",
                    () -> change(simulation, process, remote, client, step + 1));
        });
    }

    private void failed(String name, TableRequest<?> request, State before, Throwable failure) {
        switch (failure) {
            case StorageException.OutcomeUnknown outcome -> unknown++;
            case StorageException.TableUnavailable away -> become(name, before);
            default -> wrong.add(request + " failed: " + failure);
        }
    }

    private void look(Simulation simulation, SimNode process, RemoteFileTable remote) {
        process.after(simulation.between(Duration.ZERO, Duration.ofMillis(300)), "look", () -> {
            List<String> all = names.keySet().stream().sorted().toList();
            if (ended < CLIENTS && !all.isEmpty()) {
                look(remote, all.get(simulation.random().nextInt(all.size())), () -> {});
            }
            if (ended < CLIENTS) {
                look(simulation, process, remote);
            }
        });
    }

    private void look(RemoteFileTable remote, String name, Runnable done) {
        Known before = known(name);
        remote.ask(new TableQuery.Lookup(Inode.ROOT, name)).whenComplete((answer, failure) -> {
            boolean refused = failure != null
                    && FencedStore.cause(failure) instanceof TableRefusal refusal
                    && refusal.reason() == TableRefusal.Reason.NO_ENTRY;
            if (failure == null || refused) {
                State found = refused ? State.ABSENT : State.PRESENT;
                looked++;
                if (before.state() != State.UNKNOWN && known(name).equals(before) && found != before.state()) {
                    wrong.add(name + " is " + found + ", expected " + before);
                }
            } else if (!(FencedStore.cause(failure) instanceof StorageException.TableUnavailable)) {
                wrong.add("look at " + name + " failed: " + failure);
            }
            done.run();
        });
    }

    private Known known(String name) {
        return names.getOrDefault(name, new Known(0, State.ABSENT));
    }

    private void become(String name, State state) {
        names.put(name, new Known(known(name).version() + 1, state));
    }
}
