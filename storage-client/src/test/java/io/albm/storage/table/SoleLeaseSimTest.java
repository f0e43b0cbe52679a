// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client changes files of its own directory, about which another asks all the time. */
class SoleLeaseSimTest {
    private static final Duration LONG = DirectoryLeases.TERM.multipliedBy(5);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Longer than a lease lasts. */
    private static final Duration STALL = DirectoryLeases.TERM.plusSeconds(1);

    /** More than a batch takes, and one call brings. */
    private static final int FILES = 900;

    private final List<Integer> notMadeHere = new ArrayList<>();
    private long directory;
    private int made;
    private int answered;

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void questionsOfOthersDoNotEndItsLease(long seed) {
        Simulation simulation = new Simulation(seed);
        SimTable table =
                new SimTable(simulation, new SimDirectory(simulation, Duration.ofSeconds(6)), 2, SimTable.LEASE);
        SimNode owner = new SimNode(simulation, "owner");
        SimNode asker = new SimNode(simulation, "asker");
        FileTable own = table.leasedClient(owner);
        FileTable other = table.client(asker);
        makeOwn(simulation, owner, own);

        long end = simulation.clock().nanoTime() + LONG.toNanos();
        change(owner, own.early());
        askOn(other);
        simulation.runUntil(() -> simulation.clock().nanoTime() >= end, LONG.multipliedBy(2), "the end");

        assertThat(made).isGreaterThan(100);
        assertThat(answered).isGreaterThan(100);
        assertThat(notMadeHere).isEmpty();
    }

    /** What has reached the leader in time waits there for room in a batch. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostWhileZooKeeperStandsStill(long seed) {
        Simulation simulation = new Simulation(seed);
        SimTable table =
                new SimTable(simulation, new SimDirectory(simulation, Duration.ofSeconds(6)), 2, SimTable.LEASE);
        SimNode owner = new SimNode(simulation, "owner");
        FileTable own = table.leasedClient(owner);
        SimNode asker = new SimNode(simulation, "asker");
        FileTable other = table.client(asker);
        makeOwn(simulation, owner, own);

        table.stall(STALL);
        for (int i = 0; i < FILES; i++) {
            assertThat(own.early().ask(make(directory, "f-" + i, 0100644))).isDone();
        }
        String last = "f-" + (FILES - 1);
        CompletableFuture<?> found = other.ask(new TableQuery.Lookup(directory, last));
        CompletableFuture<?> synced = own.sync();
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        asker.after(
                simulation.between(Duration.ZERO, STALL),
                "make",
                () -> other.ask(make(directory, last, 0100644))
                        .whenComplete((another, failure) -> refused.complete(
                                failure == null ? new AssertionError(another) : FencedStore.cause(failure))));
        simulation.runUntil(
                () -> found.isDone() && synced.isDone() && refused.isDone(), Duration.ofMinutes(1), "the answers");

        assertThat(synced).isCompleted();
        assertThat(found).isCompleted();
        assertThat(refused.join())
                .isInstanceOfSatisfying(
                        TableRefusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(TableRefusal.Reason.EXISTS));
    }

    private void makeOwn(Simulation simulation, SimNode process, FileTable own) {
        takeLease(
                process,
                own,
                () -> own.ask(make(Inode.ROOT, "own", 0040755))
                        .thenCompose(done -> {
                            directory = done.inode().number();
                            return own.early().ask(make(directory, "first", 0100644));
                        })
                        .thenAccept(first -> made = 1));
        simulation.runUntil(() -> made == 1, Duration.ofMinutes(1), "a file of its own");
    }

    /** Looks in vain until that takes no question. */
    private void takeLease(SimNode process, FileTable own, Runnable next) {
        process.after(PAUSE, "look", () -> {
            var looked = own.ask(new TableQuery.Lookup(Inode.ROOT, "absent"));
            if (looked.isDone()) {
                next.run();
            } else {
                looked.whenComplete((found, none) -> takeLease(process, own, next));
            }
        });
    }

    private static TableCommand.Make make(long parent, String name, int mode) {
        return new TableCommand.Make(parent, name, mode, 0, 0, 0, null);
    }

    private void change(SimNode process, FileTable early) {
        process.after(PAUSE, "change", () -> {
            if (!early.ask(make(directory, "f-" + made, 0100644)).isDone()) {
                notMadeHere.add(made);
            }
            made++;
            change(process, early);
        });
    }

    private void askOn(FileTable other) {
        other.ask(new TableQuery.Lookup(directory, "first")).whenComplete((found, failure) -> {
            answered++;
            askOn(other);
        });
    }
}
