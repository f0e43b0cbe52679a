// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that is cut off sends what it has changed by itself when another leader leads. */
class LateChangesSimTest {
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Simulation simulation = new Simulation(0);
    private SimTable table = new SimTable(simulation, new SimDirectory(simulation, SESSION), 1, SimTable.LEASE);
    private SimNode owner = new SimNode(simulation, "");
    private FileTable own = table.leasedClient(owner);
    private FileTable other = own;
    private long directory;
    private long overwriting;

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    /** A client has a directory alone, and makes changes there by itself. */
    private void begin(long seed, int nodes) {
        simulation = new Simulation(seed);
        table = new SimTable(simulation, new SimDirectory(simulation, SESSION), nodes, SimTable.LEASE);
        owner = new SimNode(simulation, "owner");
        own = table.leasedClient(owner);
        other = table.client(new SimNode(simulation, "other"));
        directory = made(own, Inode.ROOT, "d", 0040755);
        made(other, directory, "x", 0100644);
        overwriting = made(other, directory, "y", 0100644);
        takeLease();
        done(own.ask(new TableQuery.Lookup(directory, "x")));
    }

    private void takeLease() {
        List<String> looked = new ArrayList<>();
        lookUntilLeased(looked);
        simulation.runUntil(() -> looked.contains("alone"), PATIENCE, "a lease");
        done(own.early().ask(make(directory, "by-itself", 0100644)));
        done(own.early().ask(new TableCommand.Unlink(directory, "by-itself", false)));
    }

    private void lookUntilLeased(List<String> looked) {
        owner.after(PAUSE, "look", () -> {
            CompletableFuture<?> look = own.ask(new TableQuery.Lookup(directory, "absent"));
            if (look.isDone()) {
                looked.add("alone");
            } else {
                look.whenComplete((found, none) -> lookUntilLeased(looked));
            }
        });
    }

    private static TableCommand.Make make(long parent, String name, int mode) {
        return new TableCommand.Make(parent, name, mode, 0, 0, 0, null);
    }

    private long made(FileTable by, long parent, String name, int mode) {
        return done(by.ask(make(parent, name, mode))).inode().number();
    }

    private <A> A done(CompletableFuture<A> answer) {
        simulation.runUntil(answer::isDone, PATIENCE, "an answer");
        return answer.join();
    }

    private void unlinksByItself() {
        assertThat(own.early().ask(new TableCommand.Unlink(directory, "x", false)))
                .as("is done by the client itself")
                .isDone();
    }

    private void otherReplaces() {
        done(other.ask(new TableQuery.Lookup(directory, "x")));
        done(other.ask(new TableCommand.Rename(directory, "y", directory, "x", TableCommand.Renaming.REPLACE, false)));
    }

    private void leaderDies() {
        table.killLeader();
        simulation.runUntil(table::isLed, PATIENCE, "another leader");
    }

    private CompletableFuture<Void> ownIsBack() {
        table.connect(owner);
        CompletableFuture<Void> synced = own.sync();
        simulation.runUntil(synced::isDone, PATIENCE, "a sync");
        return synced;
    }

    private void isLost(CompletableFuture<Void> synced) {
        assertThatThrownBy(synced::join).hasCauseInstanceOf(StorageException.AnswersLost.class);
    }

    private <A extends TableAnswer> A seen(TableRequest<A> query) {
        return done(other.ask(query));
    }

    private void otherSeesItsOwn() {
        assertThat(seen(new TableQuery.Lookup(directory, "x")).inode().number()).isEqualTo(overwriting);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areNotTakenOnceTheLastLeaderHasAnsweredWithoutThem(long seed) {
        begin(seed, 2);
        table.cutOff(owner);
        unlinksByItself();
        otherReplaces();

        leaderDies();
        isLost(ownIsBack());
        otherSeesItsOwn();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areNotTakenOnceALeaderHasAnsweredThatDidNotKnowTheLease(long seed) {
        begin(seed, 3);
        table.cutOff(owner);
        unlinksByItself();
        leaderDies();
        otherReplaces();

        leaderDies();
        isLost(ownIsBack());
        otherSeesItsOwn();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areTakenOfAClientThatHasGotTheLeaseAgain(long seed) {
        begin(seed, 2);
        table.cutOff(owner);
        done(other.ask(new TableQuery.Lookup(directory, "x")));
        table.connect(owner);
        takeLease();
        done(own.ask(new TableQuery.Lookup(directory, "x")));
        table.cutOff(owner);
        unlinksByItself();

        leaderDies();
        assertThat(ownIsBack()).isCompleted();
        otherSeesNone();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areTakenIfNobodyHasAskedInBetween(long seed) {
        begin(seed, 2);
        table.cutOff(owner);
        unlinksByItself();

        leaderDies();
        assertThat(ownIsBack()).isCompleted();
        otherSeesNone();
    }

    private void otherSeesNone() {
        Throwable failure = done(other.ask(new TableQuery.Lookup(directory, "x"))
                .handle((found, refused) -> refused == null ? new AssertionError(found) : FencedStore.cause(refused)));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        TableRefusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(TableRefusal.Reason.NO_ENTRY));
    }
}
