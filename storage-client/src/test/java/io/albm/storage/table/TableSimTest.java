// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients change names of their own and look at each other's, while leaders die and pause, commits break and messages are
 * lost. Whatever was promised must have happened, once, and must be seen by everybody from then on: of a durable answer
 * whatever happens, of an early one if one node is lost at a time, and of an early one that was synced whatever happens.
 */
class TableSimTest {
    private static final int CLIENTS = 4;
    private static final int CHANGES = 80;
    private static final int GAP_MILLIS = 600;
    private static final int FILE = 0100644;
    private static final Duration TROUBLE = Duration.ofSeconds(40);
    private static final Duration FOREVER = Duration.ofDays(1);

    /** What everybody must see of a name; changes while its owner changes it. */
    private record Known(long version, State state, long inode) {}

    private enum State {
        PRESENT,
        ABSENT,
        UNKNOWN
    }

    private final Map<String, Known> names = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private Simulation simulation = new Simulation(0);
    private SimDirectory directory = new SimDirectory(simulation, SimTable.SESSION);
    private SimTable table = new SimTable(simulation, directory, 0, SimTable.LEASE);
    private int ended;
    private int looked;
    private int unknown;
    private int lost;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("table.seeds", 60));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAnsweredHasHappenedOnceAndStays(long seed) {
        world(seed, SimTable.LEASE);
        disturbAny();
        run(true, process -> new Durable(table.client(process)));

        assertThat(looked).isGreaterThan(CLIENTS);
        assertThat(unknown).isLessThan(CLIENTS * CHANGES / 4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAnsweredEarlySurvivesAnyOneNode(long seed) {
        world(seed, SimTable.LEASE);
        table.disturbOneByOne(TROUBLE);
        run(true, process -> new Durable(table.client(process).early()));

        assertThat(looked).isGreaterThan(CLIENTS);
        assertThat(unknown).isLessThan(CLIENTS * CHANGES / 4);
    }

    /** Leases never end here, as if clocks stood still: what holds then rests on what nodes have promised. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAnsweredEarlySurvivesAnyOneNodeWhateverTheClocksSay(long seed) {
        world(seed, FOREVER);
        table.disturbOneByOne(TROUBLE);
        run(false, process -> new Durable(table.client(process).early()));

        assertThat(unknown).isLessThan(CLIENTS * CHANGES / 4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsSyncedSurvivesAllNodes(long seed) {
        world(seed, SimTable.LEASE);
        disturbAny();
        run(true, process -> new Synced(process));

        assertThat(looked).isGreaterThan(CLIENTS);
    }

    private void world(long seed, Duration lease) {
        simulation = new Simulation(seed);
        directory = new SimDirectory(simulation, SimTable.SESSION);
        table = new SimTable(simulation, directory, 3, lease);
        directory.breakCommits(0.1);
        table.lose(0.05);
    }

    private void run(boolean looks, Function<SimNode, Promises> promises) {
        for (int number = 0; number < CLIENTS; number++) {
            SimNode process = new SimNode(simulation, "client-" + number);
            Client client = new Client(number, process, promises.apply(process));
            client.change(0);
            if (looks) {
                client.look();
            }
        }
        simulation.runUntil(() -> ended == CLIENTS, Duration.ofMinutes(20), "the clients' end");
        audit();
    }

    private void audit() {
        directory.breakCommits(0);
        table.lose(0);
        List<String> seen = new ArrayList<>();
        SimNode auditor = new SimNode(simulation, "auditor");
        RemoteFileTable remote = table.client(auditor);
        simulation.runUntil(table::isWhole, Duration.ofMinutes(2), "a leader");
        names.keySet().forEach(name -> look(remote, name, () -> seen.add(name)));
        simulation.runUntil(() -> seen.size() == names.size(), Duration.ofMinutes(2), "the audit");

        assertThat(wrong).isEmpty();
        assertThat(table.troubled()).isFalse();
    }

    private boolean isTroubleOver() {
        return simulation.clock().nanoTime() >= TROUBLE.toNanos();
    }

    private void disturbAny() {
        simulation.schedule(simulation.between(Duration.ofMillis(200), Duration.ofSeconds(4)), "disturb", () -> {
            if (!isTroubleOver()) {
                if (simulation.chance(0.1)) {
                    table.loseAll();
                } else {
                    table.disturb(table.anyNode());
                }
                disturbAny();
            }
        });
    }

    /** When a client may rely on what it did. */
    private interface Promises {
        FileTable table();

        /** @param relied is run when it may */
        void rely(Runnable relied, Runnable lost);
    }

    /** When it has the answer. */
    private record Durable(FileTable table) implements Promises {
        @Override
        public void rely(Runnable relied, Runnable lost) {
            relied.run();
        }
    }

    /** When it has waited until the answer is durable; if that is lost it begins anew. */
    private final class Synced implements Promises {
        private final SimNode process;
        private FileTable table;

        Synced(SimNode process) {
            this.process = process;
            this.table = TableSimTest.this.table.client(process).early();
        }

        @Override
        public FileTable table() {
            return table;
        }

        @Override
        public void rely(Runnable relied, Runnable lost) {
            table.sync().whenComplete((nothing, failure) -> {
                if (failure == null) {
                    relied.run();
                } else {
                    table = TableSimTest.this.table.client(process).early();
                    lost.run();
                }
            });
        }
    }

    private final class Client {
        private final int number;
        private final SimNode process;
        private final Promises promises;

        Client(int number, SimNode process, Promises promises) {
            this.number = number;
            this.process = process;
            this.promises = promises;
        }

        /** Makes a name, and another, and takes one of them away. */
        void change(int step) {
            if (step == CHANGES) {
                ended++;
                return;
            }
            String name = "f-" + number + "-" + step / 2;
            boolean makes = step % 2 == 0;
            boolean keep = !makes && simulation.chance(0.5);
            if (keep || (!makes && known(name).state() != State.PRESENT)) {
                change(step + 1);
                return;
            }
            Known before = known(name);
            TableRequest<?> request = makes
                    ? new TableCommand.Make(Inode.ROOT, name, FILE, 0, 0, 0, null)
                    : new TableCommand.Unlink(Inode.ROOT, name, false);
            become(name, State.UNKNOWN, 0);
            promises.table().ask(request).whenComplete((answer, failure) -> {
                if (failure == null) {
                    State after = makes ? State.PRESENT : State.ABSENT;
                    long inode = SeenInodes.highest(answer);
                    promises.rely(
                            () -> {
                                become(name, after, inode);
                                next(step);
                            },
                            () -> {
                                lost++;
                                next(step);
                            });
                } else {
                    failed(name, request, before, FencedStore.cause(failure));
                    next(step);
                }
            });
        }

        private void next(int step) {
            process.after(
                    simulation.between(Duration.ZERO, Duration.ofMillis(GAP_MILLIS)),
                    "next change",
                    () -> change(step + 1));
        }

        void look() {
            process.after(simulation.between(Duration.ZERO, Duration.ofMillis(300)), "look", () -> {
                List<String> all = List.copyOf(names.keySet());
                if (ended < CLIENTS && !all.isEmpty()) {
                    String name = all.get(simulation.random().nextInt(all.size()));
                    TableSimTest.this.look(promises.table(), name, () -> {});
                }
                if (ended < CLIENTS) {
                    look();
                }
            });
        }
    }

    private void failed(String name, TableRequest<?> request, Known before, Throwable failure) {
        switch (failure) {
            case StorageException.OutcomeUnknown outcome -> unknown++;
            case StorageException.TableUnavailable away -> become(name, before.state(), before.inode());
            default -> wrong.add(request + " failed: " + failure);
        }
    }

    private void look(FileTable remote, String name, Runnable done) {
        Known before = known(name);
        remote.ask(new TableQuery.Lookup(Inode.ROOT, name)).whenComplete((answer, failure) -> {
            boolean refused = failure != null
                    && FencedStore.cause(failure) instanceof TableRefusal refusal
                    && refusal.reason() == TableRefusal.Reason.NO_ENTRY;
            if (failure == null || refused) {
                check(name, before, answer);
            } else if (!(FencedStore.cause(failure) instanceof StorageException.TableUnavailable)) {
                wrong.add("look at " + name + " failed: " + failure);
            }
            done.run();
        });
    }

    /** A change that was lost in the middle of the log would show in the numbers of all that were made later. */
    private void check(String name, Known before, TableAnswer.@Nullable Known answer) {
        looked++;
        if (before.state() == State.UNKNOWN || !known(name).equals(before)) {
            return;
        }
        State found = answer == null ? State.ABSENT : State.PRESENT;
        long inode = answer == null ? 0 : answer.inode().number();
        if (found != before.state() || (answer != null && inode != before.inode())) {
            wrong.add(name + " is " + found + ", inode " + inode + "; expected " + before);
        }
    }

    private Known known(String name) {
        return names.getOrDefault(name, new Known(0, State.ABSENT, 0));
    }

    private void become(String name, State state, long inode) {
        names.put(name, new Known(known(name).version() + 1, state, inode));
    }
}
