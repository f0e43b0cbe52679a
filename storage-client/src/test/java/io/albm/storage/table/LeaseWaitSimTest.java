// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients with leases work in the same directories, in bursts and after pauses in which leases end, and leave and come back.
 * Nothing fails, so nobody may wait for the end of a lease: whoever has one, or is believed to, is there to say that it has
 * heard.
 */
class LeaseWaitSimTest {
    private static final int CLIENTS = 3;
    private static final int DIRECTORIES = 4;
    private static final int MOST_DIRECTORIES = 12;
    private static final int STEPS = 150;
    private static final Duration SESSION = Duration.ofSeconds(6);

    /** Some commits of the log, one after the other, and half of a lease's term. */
    private static final Duration LONGEST = Duration.ofMillis(1500);

    private final List<Long> directories = new ArrayList<>();
    private final List<String> slow = new ArrayList<>();
    private int ended;
    private int alone;

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyWaitsForTheEndOfALease(long seed) {
        Simulation simulation = new Simulation(seed);
        SimTable table = new SimTable(simulation, new SimDirectory(simulation, SESSION), 2, SimTable.LEASE);
        List<Client> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            SimNode process = new SimNode(simulation, "client-" + client);
            clients.add(new Client(simulation, process, table.leasedClient(process)));
        }
        for (int made = 0; made < DIRECTORIES; made++) {
            clients.getFirst()
                    .table
                    .ask(new TableCommand.Make(Inode.ROOT, "d-" + made, 0040755, 0, 0, 0, null))
                    .thenAccept(answer -> directories.add(answer.inode().number()));
        }
        simulation.runUntil(() -> directories.size() == DIRECTORIES, Duration.ofMinutes(1), "the directories");
        clients.forEach(client -> client.work(STEPS));
        simulation.runUntil(() -> ended == CLIENTS, Duration.ofMinutes(20), "the clients' end");

        assertThat(slow).isEmpty();
        assertThat(alone).as("requests that clients answered by themselves").isGreaterThan(CLIENTS * STEPS / 20);
    }

    private final class Client {
        private final Simulation simulation;
        private final RandomGenerator random;
        private final SimNode process;
        private final FileTable table;
        private int directory;

        Client(Simulation simulation, SimNode process, FileTable table) {
            this.simulation = simulation;
            this.random = simulation.random();
            this.process = process;
            this.table = table;
        }

        void work(int left) {
            if (left == 0) {
                ended++;
            } else {
                process.after(pause(), "work", () -> step(() -> work(left - 1)));
            }
        }

        private Duration pause() {
            Duration longest = switch (random.nextInt(40)) {
                case 0 -> Duration.ofSeconds(25);
                case 1, 2 -> DirectoryLeases.TERM.plusSeconds(1);
                default -> Duration.ofMillis(30);
            };
            return simulation.between(Duration.ZERO, longest);
        }

        private void step(Runnable next) {
            directory = simulation.chance(0.1) ? random.nextInt(directories.size()) : directory;
            long parent = directories.get(directory);
            String name = "f-" + random.nextInt(6);
            switch (random.nextInt(20)) {
                case 0 -> table.leave().thenRun(next);
                case 1, 2, 3, 4 -> ask(new TableCommand.Make(parent, name, 0100644, 0, 0, 0, null), next);
                case 5, 6 -> ask(new TableCommand.Unlink(parent, name, false), next);
                case 7 -> ask(new TableCommand.Make(parent, "d-" + random.nextInt(999), 0040755, 0, 0, 0, null), next);
                default -> ask(new TableQuery.Lookup(parent, name), next);
            }
        }

        private void ask(TableRequest<?> request, Runnable next) {
            long asked = simulation.clock().nanoTime();
            var answer = (simulation.chance(0.5) ? table.early() : table).ask(request);
            alone += answer.isDone() ? 1 : 0;
            answer.whenComplete((done, failure) -> {
                Duration took = Duration.ofNanos(simulation.clock().nanoTime() - asked);
                if (took.compareTo(LONGEST) > 0) {
                    slow.add(process.name() + " at " + asked + ": " + request + " took " + took.toMillis() + " ms");
                }
                if (done instanceof TableAnswer.Known known && known.inode().isDirectory()) {
                    workIn(known.inode().number());
                }
                next.run();
            });
        }

        /** From now on work may be in a directory that was made, or found. */
        private void workIn(long inode) {
            if (directories.size() < MOST_DIRECTORIES && !directories.contains(inode)) {
                directories.add(inode);
            }
        }
    }
}
