// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Content;
import io.albm.storage.FileTable;
import io.albm.storage.Generation;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients with leases change files of their own in directories that they share, and look at each other's, while leaders die
 * and pause, clients pause, and messages are lost, recalls among them. Nobody may ever see a file otherwise than an answered
 * change has left it; nor, where clients make changes by themselves, but what a client may have lost that was paused.
 */
class LeaseSimTest {
    private static final int CLIENTS = 4;
    private static final int DIRECTORIES = 3;
    /** Changes that a client has under way at a time, each of files of its own, and how many of them it makes in a row. */
    private static final int WORKERS = 2;

    private static final int CHANGES = 25;
    private static final int FILES_OF_WORKER = 2;
    private static final int MOST_LOOKING = 50;
    private static final int ABSENT = 0;
    private static final int DIRECTORY = 0040755;
    private static final int FILE = 0100000;
    /** What is in a file counts so many times in its state. */
    private static final int CONTENT = 1 << 16;

    /** Longer than a client is paused: it would need another one. */
    private static final Duration SESSION = Duration.ofSeconds(6);

    /** A leader that stops for longer may lose what clients made by themselves, if others ask about it first. */
    private static final Duration SHORT_STOP = DirectoryLeases.TERM.dividedBy(2);

    /** Longer than a disturbed node is away. */
    private static final Duration CALM = Duration.ofSeconds(8);

    private static final AtomicInteger ALL_BY_THEMSELVES = new AtomicInteger();
    private static final Duration TROUBLE = Duration.ofSeconds(60);

    private static final int QUESTIONS_ABOUT_A_FOUND_FILE = 3;

    private record File(int directory, String name) {}

    /** What everybody must see of a file; null while its owner changes it, and when nobody knows how that went. */
    private record Known(long version, @Nullable Integer state) {}

    private final Map<File, Known> files = new HashMap<>();
    private final List<Long> directories = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    /** What each client was answered early and has not synced since, with the number of the change. */
    private final List<Map<File, Long>> fresh = new ArrayList<>();

    private boolean early;
    private long calmUntil;
    private int alone;
    private int byThemselves;
    private int ended;
    private int looking;
    private int looks;
    private int sure;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("table.seeds", 30));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodySeesWhatAChangeContradictsThatAClientMadeByItself(long seed) {
        early = true;
        run(seed);
        ALL_BY_THEMSELVES.addAndGet(byThemselves);
    }

    @AfterAll
    static void clientsDidMakeChangesByThemselves() {
        assertThat(ALL_BY_THEMSELVES).hasValueGreaterThan(50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodySeesWhatAnAnsweredChangeContradicts(long seed) {
        run(seed);
    }

    private void run(long seed) {
        Simulation simulation = new Simulation(seed);
        SimDirectory directory = new SimDirectory(simulation, SESSION);
        SimTable table = new SimTable(simulation, directory, 3, SimTable.LEASE);
        List<SimNode> processes = new ArrayList<>();
        List<FileTable> clients = new ArrayList<>();
        List<FileTable> plain = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            processes.add(new SimNode(simulation, "client-" + client));
            clients.add(table.leasedClient(processes.get(client)));
            fresh.add(new HashMap<>());
            plain.add(early ? table.client(processes.get(client)) : clients.get(client));
        }
        for (int made = 0; made < DIRECTORIES; made++) {
            clients.get(made)
                    .ask(new TableCommand.Make(Inode.ROOT, "d-" + made, DIRECTORY, 0, 0, 0, null))
                    .thenAccept(answer -> directories.add(answer.inode().number()));
        }
        simulation.runUntil(() -> directories.size() == DIRECTORIES, Duration.ofMinutes(1), "the directories");

        directory.breakCommits(0.1);
        // Who cannot reach the leader for the time of a lease loses what it made by itself.
        table.lose(early ? 0.01 : 0.05);
        disturb(simulation, table, processes);
        for (int client = 0; client < CLIENTS; client++) {
            for (int worker = 0; worker < WORKERS; worker++) {
                change(simulation, processes.get(client), clients.get(client), client, worker, 0);
            }
            look(simulation, processes.get(client), client, clients.get(client), plain.get(client));
        }
        simulation.runUntil(() -> ended == CLIENTS * WORKERS, Duration.ofMinutes(20), "the clients' end");

        assertThat(wrong).isEmpty();
        assertThat(table.troubled()).isFalse();
        assertThat(sure).isGreaterThan(looks / 4);
        assertThat(alone).as("looks that took no question").isPositive();
    }

    private void disturb(Simulation simulation, SimTable table, List<SimNode> processes) {
        simulation.schedule(simulation.between(Duration.ofMillis(200), Duration.ofSeconds(8)), "disturb", () -> {
            if (simulation.clock().nanoTime() < TROUBLE.toNanos()) {
                if (!simulation.chance(0.4)) {
                    int client = simulation.random().nextInt(processes.size());
                    fresh.get(client).keySet().forEach(file -> become(file, null));
                    fresh.get(client).clear();
                    pause(simulation, processes.get(client));
                } else if (!early || survives(simulation, table)) {
                    table.disturb(
                            table.nodes()
                                    .get(simulation
                                            .random()
                                            .nextInt(table.nodes().size())),
                            early ? SHORT_STOP : SimTable.LONGEST_STOP);
                }
                disturb(simulation, table, processes);
            }
        });
    }

    /** Early answers outlive the loss of one node, if all were there for long enough before. */
    private boolean survives(Simulation simulation, SimTable table) {
        long now = simulation.clock().nanoTime();
        boolean survives = now >= calmUntil && table.isWhole();
        calmUntil = survives ? now + CALM.toNanos() : calmUntil;
        return survives;
    }

    /** Shorter or longer than a lease. */
    private static void pause(Simulation simulation, SimNode process) {
        if (process.isResponsive()) {
            process.pause();
            simulation.schedule(
                    simulation.between(Duration.ofMillis(50), Duration.ofSeconds(5)), "go on", process::resume);
        }
    }

    /** Makes, changes, moves or removes a file of the client's own. */
    private void change(Simulation simulation, SimNode process, FileTable table, int client, int worker, int step) {
        if (step == CHANGES) {
            ended++;
            return;
        }
        Runnable next = () -> process.after(
                simulation.between(Duration.ZERO, Duration.ofMillis(simulation.chance(0.4) ? 6000 : 200)),
                "next change",
                () -> change(simulation, process, table, client, worker, step + 1));
        if (simulation.chance(0.05)) {
            table.leave();
        }
        boolean atHome = simulation.chance(0.8);
        File file = new File(
                atHome ? client % DIRECTORIES : simulation.random().nextInt(DIRECTORIES),
                "f-" + client + "-"
                        + (worker * FILES_OF_WORKER + simulation.random().nextInt(FILES_OF_WORKER)));
        Integer state = known(file).state();
        if (state == null) {
            next.run();
        } else if (state == ABSENT) {
            int made = FILE + 1 + simulation.random().nextInt(0777);
            alter(
                    client,
                    table,
                    new TableCommand.Make(number(file), file.name(), made, 0, 0, 0, null),
                    Map.of(file, made),
                    next);
        } else {
            alterPresent(simulation, client, table, file, state, next);
        }
    }

    private void alterPresent(Simulation simulation, int client, FileTable table, File file, int state, Runnable next) {
        File other = new File(simulation.random().nextInt(DIRECTORIES), file.name());
        Integer there = known(other).state();
        switch (simulation.random().nextInt(4)) {
            case 0 ->
                alter(
                        client,
                        table,
                        new TableCommand.Unlink(number(file), file.name(), false),
                        Map.of(file, ABSENT),
                        next);
            case 1 -> chmod(simulation, client, table, file, state, next);
            case 2 -> store(simulation, client, table, file, state, next);
            default -> {
                if (there == null || other.equals(file)) {
                    next.run();
                } else {
                    alter(
                            client,
                            table,
                            new TableCommand.Rename(
                                    number(file),
                                    file.name(),
                                    number(other),
                                    other.name(),
                                    TableCommand.Renaming.REPLACE,
                                    false),
                            Map.of(file, ABSENT, other, state),
                            next);
                }
            }
        }
    }

    private void chmod(Simulation simulation, int client, FileTable table, File file, int state, Runnable next) {
        int mode = FILE + 1 + simulation.random().nextInt(0777);
        change(
                client,
                table,
                file,
                inode -> new TableCommand.SetAttributes(inode, mode & 0777, null, null, null, null, false),
                state / CONTENT * CONTENT + mode,
                next);
    }

    private void store(Simulation simulation, int client, FileTable table, File file, int state, Runnable next) {
        int content = 1 + simulation.random().nextInt(Byte.MAX_VALUE);
        Segment segment = Segment.ofInline(
                Generation.random(simulation.random()).toString(), new InlineBytes(new byte[] {(byte) content}));
        change(
                client,
                table,
                file,
                inode -> new TableCommand.Change(
                        inode,
                        null,
                        0L,
                        List.of(),
                        segment,
                        Content.of(segment, 0).extents(),
                        0,
                        1L,
                        false),
                content * CONTENT + state % CONTENT,
                next);
    }

    private void change(
            int client, FileTable table, File file, LongFunction<TableCommand<?>> command, int after, Runnable next) {
        table.ask(new TableQuery.Lookup(number(file), file.name())).whenComplete((found, failure) -> {
            if (failure == null) {
                alter(client, table, command.apply(found.inode().number()), Map.of(file, after), next);
            } else {
                next.run();
            }
        });
    }

    /** The mode, and which bytes a file has. */
    private static int state(Inode inode) {
        int content = inode.content() == null
                ? 0
                : inode.content().segments().stream()
                        .map(Segment::inline)
                        .filter(Objects::nonNull)
                        .mapToInt(bytes -> bytes.toArray()[0])
                        .sum();
        return content * CONTENT + inode.mode();
    }

    private <A extends TableAnswer> void alter(
            int client, FileTable table, TableCommand<A> command, Map<File, Integer> after, Runnable next) {
        Map<File, Integer> before = new HashMap<>();
        after.keySet().forEach(file -> before.put(file, known(file).state()));
        after.keySet().forEach(file -> become(file, null));
        CompletableFuture<A> answer = (early ? table.early() : table).ask(command);
        byThemselves += answer.isDone() ? 1 : 0;
        answer.whenComplete((done, failure) -> {
            if (failure == null) {
                after.forEach(this::become);
                sync(client, table, after.keySet());
            } else {
                failed(command, before, FencedStore.cause(failure));
            }
            next.run();
        });
    }

    /** Until a sync is answered a client may lose what it was answered, if it is paused. */
    private void sync(int client, FileTable table, Set<File> changed) {
        if (early) {
            Map<File, Long> mine = fresh.get(client);
            changed.forEach(file -> mine.put(file, known(file).version()));
            Map<File, Long> synced = Map.copyOf(mine);
            table.sync().whenComplete((nothing, failure) -> {
                if (failure == null) {
                    synced.forEach(mine::remove);
                }
            });
        }
    }

    private void failed(TableCommand<?> command, Map<File, Integer> before, Throwable failure) {
        switch (failure) {
            case StorageException.OutcomeUnknown unknown -> {}
            case StorageException.TableUnavailable away -> before.forEach(this::become);
            default -> wrong.add(command + " failed: " + failure);
        }
    }

    /**
     * Looks at files of one directory in a row, that are there and that are not.
     *
     * @param elsewhere what is asked about directories that are not the client's own
     */
    private void look(Simulation simulation, SimNode process, int client, FileTable home, FileTable elsewhere) {
        if (ended == CLIENTS * WORKERS) {
            return;
        }
        int directory = simulation.random().nextInt(DIRECTORIES);
        FileTable table = directory == client % DIRECTORIES ? home : elsewhere;
        Runnable next = () -> look(simulation, process, client, home, elsewhere);
        lookOn(simulation, process, table, directory, 5 + simulation.random().nextInt(40), next);
    }

    private void lookOn(
            Simulation simulation, SimNode process, FileTable table, int directory, int left, Runnable next) {
        Duration pause = left > 0
                ? simulation.between(Duration.ZERO, Duration.ofMillis(30))
                : simulation.between(Duration.ZERO, Duration.ofSeconds(1));
        process.after(pause, "look", () -> {
            if (left == 0) {
                next.run();
                return;
            }
            String name = "f-" + simulation.random().nextInt(CLIENTS) + "-"
                    + simulation.random().nextInt(WORKERS * FILES_OF_WORKER);
            look(table, new File(directory, name));
            lookOn(simulation, process, table, directory, left - 1, next);
        });
    }

    private void look(FileTable table, File file) {
        if (looking < MOST_LOOKING) {
            look(table, file, new TableQuery.Lookup(number(file), file.name()), QUESTIONS_ABOUT_A_FOUND_FILE);
        }
    }

    /** @param more how often it is asked about again, if it is there, as somebody does who works with it */
    private void look(FileTable table, File file, TableQuery<TableAnswer.Known> query, int more) {
        Known before = known(file);
        looking++;
        looks++;
        CompletableFuture<TableAnswer.Known> look = table.ask(query);
        alone += look.isDone() ? 1 : 0;
        look.whenComplete((found, failure) -> {
            looking--;
            boolean absent = failure != null
                    && FencedStore.cause(failure) instanceof TableRefusal refusal
                    && (refusal.reason() == TableRefusal.Reason.NO_ENTRY
                            || refusal.reason() == TableRefusal.Reason.STALE);
            if (failure != null && !absent) {
                if (!(FencedStore.cause(failure) instanceof StorageException.TableUnavailable)) {
                    wrong.add("look at " + file + " failed: " + failure);
                }
                return;
            }
            int seen = absent ? ABSENT : state(found.inode());
            if (before.state() == null || !known(file).equals(before)) {
                return;
            }
            sure++;
            if (seen != before.state()) {
                wrong.add("%s is %o by %s, expected %s".formatted(file, seen, query, before));
            } else if (!absent && more > 0) {
                look(table, file, new TableQuery.Get(found.inode().number()), more - 1);
            }
        });
    }

    private long number(File file) {
        return directories.get(file.directory());
    }

    private Known known(File file) {
        return files.getOrDefault(file, new Known(0, ABSENT));
    }

    private void become(File file, @Nullable Integer state) {
        files.put(file, new Known(known(file).version() + 1, state));
    }
}
