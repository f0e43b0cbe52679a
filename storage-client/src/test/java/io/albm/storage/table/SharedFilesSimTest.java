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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients change files of each other's directories, first one by itself, then another durably, while the first is cut off and
 * comes back, and leaders die. What was durable stays; and a sync that succeeds has not lost what others left as it was.
 */
class SharedFilesSimTest {
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CLIENTS = 2;
    private static final int FILES = 3;
    private static final int ROUNDS = 12;

    private static final AtomicInteger ALL_BY_THEMSELVES = new AtomicInteger();
    private static final AtomicInteger ALL_LOST = new AtomicInteger();

    private record File(int directory, String name) {}

    /** A file, or none, whose inode is 0. */
    private record State(long inode, int mode) {
        static final State ABSENT = new State(0, 0);
    }

    private final List<Long> directories = new ArrayList<>();
    private final List<SimNode> processes = new ArrayList<>();
    private final List<LeasedFileTable> clients = new ArrayList<>();
    /** What everybody has to see; what nobody knows is not in it. */
    private final Map<File, State> expected = new HashMap<>();

    private Simulation simulation = new Simulation(0);
    private SimTable table = new SimTable(simulation, new SimDirectory(simulation, SESSION), 1, SimTable.LEASE);
    private FileTable other = table.client(new SimNode(simulation, ""));
    private int temporary;
    private int mounted;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("table.seeds", 30));
    }

    @AfterAll
    static void clientsDidLoseChanges() {
        assertThat(ALL_BY_THEMSELVES).hasValueGreaterThan(100);
        assertThat(ALL_LOST).hasPositiveValue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsDurableIsNotUndoneBySomebodyWhoWasCutOff(long seed) {
        simulation = new Simulation(seed);
        table = new SimTable(simulation, new SimDirectory(simulation, SESSION), 3, SimTable.LEASE);
        other = table.client(new SimNode(simulation, "other"));
        for (int client = 0; client < CLIENTS; client++) {
            directories.add(make(Inode.ROOT, "d-" + client, 0040755));
            processes.add(new SimNode(simulation, "mount-" + mounted++));
            clients.add(table.leasedClient(processes.getLast()));
        }
        for (int round = 0; round < ROUNDS; round++) {
            int client = simulation.random().nextInt(CLIENTS);
            round(client, simulation.chance(0.8) ? client : simulation.random().nextInt(CLIENTS));
        }
        assertThat(table.troubled()).isFalse();
    }

    private long make(long parent, String name, int mode) {
        return done(other.ask(new TableCommand.Make(parent, name, mode, 0, 0, 0, null)))
                .inode()
                .number();
    }

    private <A> A done(CompletableFuture<A> answer) {
        simulation.runUntil(answer::isDone, PATIENCE, "an answer");
        return answer.join();
    }

    private void round(int client, int directory) {
        work(client, directory);
        boolean isCutOff = simulation.chance(0.7);
        if (isCutOff) {
            table.cutOff(processes.get(client));
        }
        Map<File, CompletableFuture<?>> unclear = new HashMap<>();
        Map<File, State> mine = new HashMap<>();
        changeByItself(client, directory, mine, unclear);
        perhapsLeaderDies();
        if (simulation.chance(0.8)) {
            othersChange(directory, mine, unclear);
        }
        perhapsLeaderDies();
        table.connect(processes.get(client));
        comeBack(client, mine, unclear);
        check(clients.get(client));
        check(other);
    }

    /** Looks at all files, so that there are leases, and copies of what is there. */
    private void work(int client, int directory) {
        for (int times = 0; times < 3; times++) {
            see(clients.get(client), new File(directory, "absent"));
        }
        files(directory).forEach(file -> expected.put(file, see(clients.get(client), file)));
        String name = "t-" + temporary++;
        done(clients.get(client)
                .early()
                .ask(new TableCommand.Make(directories.get(directory), name, 0100644, 0, 0, 0, null)));
    }

    private static List<File> files(int directory) {
        List<File> files = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            files.add(new File(directory, "f-" + file));
        }
        return files;
    }

    private State see(FileTable by, File file) {
        return done(by.ask(new TableQuery.Lookup(directories.get(file.directory()), file.name()))
                .handle(SharedFilesSimTest::state));
    }

    private static State state(TableAnswer.@Nullable Known found, @Nullable Throwable failure) {
        if (found != null) {
            return new State(found.inode().number(), found.inode().mode());
        }
        assertThat(FencedStore.cause(failure == null ? new AssertionError() : failure))
                .isInstanceOfSatisfying(
                        TableRefusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(TableRefusal.Reason.NO_ENTRY));
        return State.ABSENT;
    }

    /**
     * Changes some files without waiting for an answer.
     *
     * @param mine becomes what was answered
     * @param unclear becomes what was not
     */
    private void changeByItself(
            int client, int directory, Map<File, State> mine, Map<File, CompletableFuture<?>> unclear) {
        for (File file : files(directory)) {
            State before = expected.get(file);
            if (before == null || simulation.chance(0.3)) {
                continue;
            }
            CompletableFuture<State> change = change(client, file, before);
            expected.remove(file);
            if (change.isDone() && !change.isCompletedExceptionally()) {
                ALL_BY_THEMSELVES.incrementAndGet();
                mine.put(file, change.join());
            } else {
                unclear.put(file, change);
            }
        }
    }

    private CompletableFuture<State> change(int client, File file, State before) {
        FileTable early = clients.get(client).early();
        long parent = directories.get(file.directory());
        if (before.equals(State.ABSENT)) {
            return early.ask(new TableCommand.Make(parent, file.name(), 0100600, 0, 0, 0, null))
                    .thenApply(made -> state(made, null));
        }
        return simulation.chance(0.5)
                ? early.ask(new TableCommand.Unlink(parent, file.name(), false)).thenApply(gone -> State.ABSENT)
                : early.ask(new TableCommand.SetAttributes(
                                before.inode(), simulation.random().nextInt(0777), null, null, null, null, false))
                        .thenApply(set -> state(set, null));
    }

    private void perhapsLeaderDies() {
        if (simulation.chance(0.4)) {
            table.killLeader();
            simulation.runUntil(table::isLed, PATIENCE, "another leader");
        }
    }

    /** Whatever the first client has changed there, and whether that is taken or not, is over for everybody. */
    private void othersChange(int directory, Map<File, State> mine, Map<File, CompletableFuture<?>> unclear) {
        FileTable by = other;
        for (File file : files(directory)) {
            if (unclear.containsKey(file) || simulation.chance(0.5)) {
                continue;
            }
            long parent = directories.get(file.directory());
            if (simulation.chance(0.3)) {
                done(by.ask(new TableCommand.Unlink(parent, file.name(), false)).handle((gone, failure) -> true));
                expected.put(file, State.ABSENT);
            } else {
                String name = "t-" + temporary++;
                long inode = make(Inode.ROOT, name, 0100644);
                done(by.ask(new TableCommand.Rename(
                        Inode.ROOT, name, parent, file.name(), TableCommand.Renaming.REPLACE, false)));
                expected.put(file, new State(inode, 0100644));
            }
            mine.remove(file);
        }
    }

    private void comeBack(int client, Map<File, State> mine, Map<File, CompletableFuture<?>> unclear) {
        unclear.values().forEach(change -> done(change.handle((answer, failure) -> true)));
        Throwable lost = done(clients.get(client).sync().handle((nothing, failure) -> failure));
        if (lost == null) {
            expected.putAll(mine);
        } else {
            assertThat(FencedStore.cause(lost)).isInstanceOf(StorageException.AnswersLost.class);
            ALL_LOST.incrementAndGet();
            clients.get(client).close();
            processes.set(client, new SimNode(simulation, "mount-" + mounted++));
            clients.set(client, table.leasedClient(processes.get(client)));
        }
    }

    private void check(FileTable by) {
        expected.forEach(
                (file, state) -> assertThat(see(by, file)).as("%s", file).isEqualTo(state));
    }
}
