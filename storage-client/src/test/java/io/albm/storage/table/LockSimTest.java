// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.StorageException;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients lock parts of a file, while one node at a time dies or pauses, commits break and messages are lost. What one has, from
 * the answer on until it gives it back, nobody else has.
 */
class LockSimTest {
    private static final int CLIENTS = 4;
    private static final int BYTES = 4;
    private static final int GRANTS = 40;
    private static final Duration TROUBLE = Duration.ofSeconds(30);
    private static final LockOwner OWNER = new LockOwner(LockOwner.Kind.POSIX, 1);

    private final Map<Integer, RangeLock> held = new HashMap<>();
    private final Map<Integer, Integer> grants = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private Simulation simulation = new Simulation(0);
    private SimTable table =
            new SimTable(simulation, new SimDirectory(simulation, SimTable.SESSION), 0, SimTable.LEASE);
    private long file;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("table.seeds", 50));
    }

    private SimDirectory world(long seed) {
        simulation = new Simulation(seed);
        SimDirectory directory = new SimDirectory(simulation, SimTable.SESSION);
        table = new SimTable(simulation, directory, 3, SimTable.LEASE);
        makeFile();
        return directory;
    }

    private void makeFile() {
        table.client(new SimNode(simulation, "maker"))
                .ask(new TableCommand.Make(Inode.ROOT, "f", 0100644, 0, 0, 0, null))
                .thenAccept(made -> file = made.inode().number());
        simulation.runUntil(() -> file != 0, Duration.ofMinutes(1), "the file");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatOneHasNobodyElseHas(long seed) {
        SimDirectory directory = world(seed);
        directory.breakCommits(0.1);
        table.lose(0.05);
        table.disturbOneByOne(TROUBLE);
        for (int number = 0; number < CLIENTS; number++) {
            SimNode process = new SimNode(simulation, "client-" + number);
            new Client(number, process, table.client(process).early()).take();
        }
        simulation.runUntil(this::hasEachHadSome, Duration.ofMinutes(20), "locks for everybody");

        assertThat(wrong).isEmpty();
        assertThat(table.troubled()).isFalse();
    }

    private boolean hasEachHadSome() {
        return grants.size() == CLIENTS && grants.values().stream().allMatch(count -> count >= GRANTS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theLocksOfAClientThatDiesAreFreeWhenItsSessionIsOver(long seed) {
        world(seed);
        SimNode dying = new SimNode(simulation, "dying");
        List<Long> times = new ArrayList<>();
        RangeLock all = new RangeLock(OWNER, LockRange.ALL, true, 1);
        table.client(dying)
                .early()
                .ask(new TableCommand.Lock(file, all))
                .thenRun(() -> times.add(simulation.clock().nanoTime()));
        simulation.runUntil(() -> !times.isEmpty(), Duration.ofMinutes(1), "the lock");

        dying.crash();
        SimNode next = new SimNode(simulation, "next");
        new Client(0, next, table.client(next).early()).take();
        simulation.runUntil(() -> grants.containsKey(0), Duration.ofMinutes(1), "the lock of the dead");

        long waited = simulation.clock().nanoTime() - times.getFirst();
        assertThat(waited).isBetween(0L, SimTable.SESSION.plusSeconds(2).toNanos());
        assertThat(wrong).isEmpty();
    }

    private final class Client {
        private final int number;
        private final SimNode process;
        private final FileTable remote;

        Client(int number, SimNode process, FileTable remote) {
            this.number = number;
            this.process = process;
            this.remote = remote;
        }

        void take() {
            int from = simulation.random().nextInt(BYTES);
            int to = from + simulation.random().nextInt(BYTES - from);
            take(new RangeLock(OWNER, new LockRange(from, to), simulation.chance(0.7), number));
        }

        private void take(RangeLock lock) {
            remote.ask(new TableCommand.Lock(file, lock)).whenComplete((locks, failure) -> {
                if (failure == null) {
                    granted(lock);
                } else if (FencedStore.cause(failure) instanceof TableRefusal refusal
                        && refusal.reason() == TableRefusal.Reason.LOCKED) {
                    await(lock);
                } else {
                    failed("lock", failure);
                    giveBack();
                }
            });
        }

        private void await(RangeLock lock) {
            remote.ask(new TableQuery.Blocker(file, lock, TableQuery.MOST_WAIT_MILLIS))
                    .whenComplete((blocked, failure) -> {
                        if (failure != null) {
                            failed("wait", failure);
                        }
                        take(lock);
                    });
        }

        private void granted(RangeLock lock) {
            grants.merge(number, 1, Integer::sum);
            held.forEach((other, theirs) -> {
                if (theirs.conflicts(lock)) {
                    wrong.add("client " + number + " has " + lock + " beside " + other + " with " + theirs);
                }
            });
            held.put(number, lock);
            process.after(simulation.between(Duration.ZERO, Duration.ofMillis(300)), "give back", this::giveBack);
        }

        /** Until the answer says that it is done: nobody else would have it otherwise. */
        private void giveBack() {
            held.remove(number);
            remote.ask(new TableCommand.Unlock(file, OWNER, LockRange.ALL)).whenComplete((locks, failure) -> {
                if (failure == null) {
                    process.after(simulation.between(Duration.ZERO, Duration.ofMillis(50)), "take", this::take);
                } else {
                    failed("unlock", failure);
                    giveBack();
                }
            });
        }

        private void failed(String what, Throwable failure) {
            Throwable cause = FencedStore.cause(failure);
            if (!(cause instanceof StorageException.OutcomeUnknown)
                    && !(cause instanceof StorageException.TableUnavailable)) {
                wrong.add(what + " failed: " + cause);
            }
        }
    }
}
