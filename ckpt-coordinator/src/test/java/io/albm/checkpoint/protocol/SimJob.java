// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.savings.CheckpointPages;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.PageTarget;
import io.albm.checkpoint.savings.StateIndex;
import io.albm.checkpoint.savings.StatePlan;
import io.albm.checkpoint.savings.StateRestore;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimDisk;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A supervisor with its ranks: the production {@link SupervisorProtocol} and {@link Recovery}, over simulated ranks whose
 * state at any step is known beforehand, so that every restored byte can be judged.
 */
final class SimJob {
    private static final Duration STEP = Duration.ofMillis(40);

    private final Simulation simulation;
    private final SimDirectory directory;
    private final JobSpec spec;
    private final SimNode node;
    private final SimStorage files;
    private final Mutation mutation;
    private final SimStates states;
    private final SimDisk disk;
    private final Runnable endHalt;

    private @Nullable Run run;
    private int restores;
    private int halts;
    private long haltedAt;

    /** The complete checkpoint whose local copies are kept; they outlive a supervisor as files do. */
    private long localCopy;

    /** @param endHalt takes an operator's request to halt the job away */
    SimJob(
            Simulation simulation,
            SimDirectory directory,
            JobSpec spec,
            SimStorage files,
            Mutation mutation,
            Runnable endHalt) {
        this.simulation = simulation;
        this.directory = directory;
        this.spec = spec;
        this.files = files;
        this.mutation = mutation;
        this.node = new SimNode(simulation, "supervisor");
        this.states = new SimStates(directory, files, new JobPaths(spec.name()));
        this.disk = new SimDisk(simulation, 1 << 26);
        this.endHalt = endHalt;
    }

    SimNode node() {
        return node;
    }

    int restores() {
        return restores;
    }

    int halts() {
        return halts;
    }

    void start() {
        endHalt.run();
        run = new Run();
        run.recover();
    }

    /** The supervisor and all its ranks die; it is started again later, as by a service manager. */
    void crash() {
        disk.crash();
        end();
    }

    private void end() {
        node.crash();
        run = null;
        simulation.schedule(simulation.between(Duration.ofSeconds(1), Duration.ofSeconds(5)), "restart job", () -> {
            node.restart();
            start();
        });
    }

    void killRank() {
        if (run != null && node.isUp()) {
            run.killRank(simulation.random().nextInt(spec.ranks()));
        }
    }

    Optional<Answer> receive(Command command) {
        return Optional.ofNullable(run)
                .map(now -> now.supervisor.on(command, simulation.clock().nanoTime()));
    }

    /** One start of the supervisor process. */
    private final class Run implements SupervisorProtocol.Effects {
        private final CoordinationStore session = directory.connect(node);
        private final JobStore store = new JobStore(session, spec.name());
        private final CheckpointFiles client = files.clientOf(node, session, null);
        private final SupervisorProtocol supervisor =
                new SupervisorProtocol(spec.ranks(), this, simulation.random().nextLong());
        private final Map<Integer, Long> steps = new HashMap<>();
        private final Map<Integer, Long> stopsAt = new HashMap<>();
        private final Map<Integer, Long> begun = new HashMap<>();
        private final Set<Integer> waits = new HashSet<>();
        private final Set<Integer> holding = new HashSet<>();
        private final Set<Long> damaged = new HashSet<>();
        private CompletableFuture<CheckpointPages> pages = new CompletableFuture<>();
        private long drained;
        private long held;
        private long saving;
        private boolean last;
        private int attempt;
        private boolean running;

        Run() {
            tick();
        }

        private void tick() {
            supervisor.tick(simulation.clock().nanoTime());
            node.after(Duration.ofMillis(250), "supervisor tick", this::tick);
        }

        /** All ranks are stopped; what may still commit is waited for. */
        void killRank(int rank) {
            if (running) {
                running = false;
                attempt++;
                supervisor.left(rank);
                spec.allRanks().forEach(supervisor::left);
                node.after(Duration.ofMillis(100), "restart ranks", this::recoverWhenSettled);
            }
        }

        private void recoverWhenSettled() {
            if (supervisor.mayStillCommit()) {
                node.after(Duration.ofMillis(100), "wait for the checkpoint", this::recoverWhenSettled);
            } else {
                recover();
            }
        }

        void recover() {
            supervisor.goingBack();
            Map<Integer, byte[]> fetched = new HashMap<>();
            Recovery recovery = new Recovery(
                    store,
                    client,
                    unit -> fetch(unit).thenApply(state -> {
                        fetched.put(unit.rank(), state);
                        return mutation.digestOfFetched(unit, state);
                    }),
                    3,
                    (delay, action) -> node.after(delay, "recovery retry", action),
                    this::heard);
            var _ = recovery.restoreLatest().whenComplete((manifest, failure) -> {
                if (failure == null) {
                    node.execute(() -> begin(manifest, fetched));
                } else {
                    simulation.note("no usable checkpoint: " + failure.getMessage());
                    node.after(Duration.ofSeconds(1), "operator retries", this::recover);
                }
            });
        }

        /** As the production supervisor does it: what the local copy has is not fetched. */
        private CompletableFuture<byte[]> fetch(StoredUnit unit) {
            return client.read(unit.path()).thenCompose(content -> {
                StateIndex index = StateIndex.of(unit, content);
                byte[] state = new byte[(int) index.size()];
                StateRestore restore = new StateRestore(index, PageTarget.of(state), mutation.pageCheck());
                takeLocalCopy(restore, unit.rank());
                Map<PackId, byte[]> packs = new HashMap<>();
                CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
                for (PackId pack : restore.needed()) {
                    all = all.thenCompose(done -> client.read(store.paths().pack(pack)))
                            .thenAccept(bytes -> packs.put(pack, bytes));
                }
                return all.thenApply(done -> {
                    SimStates.restore(restore, packs::get);
                    return state;
                });
            });
        }

        private void takeLocalCopy(StateRestore restore, int rank) {
            boolean isOnTheSameNode = simulation.random().nextInt(4) == 0;
            try {
                if (localCopy != 0 && isOnTheSameNode) {
                    restore.takeFrom(PageSource.of(disk.read(localCopy + "-" + rank)));
                }
            } catch (IOException gone) {
                simulation.note("no local copy " + localCopy + " of rank " + rank);
            }
        }

        private void heard(RecoveryEvent event) {
            simulation.note("recovery: " + event);
            if (event instanceof RecoveryEvent.Corrupt(long number, String reason)) {
                damaged.add(number);
                simulation.schedule(Duration.ZERO, "judge recovery", () -> judge(number, reason));
            }
        }

        /** A checkpoint that was retired while it was read is no loss; one that cannot be read is. */
        private void judge(long number, String reason) {
            assertThat(directory.peek(store.paths().committed(number)).isPresent() && !states.isRotten(number))
                    .as("NOTHING COMMITTED IS LOST: checkpoint %d cannot be restored: %s", number, reason)
                    .isFalse();
        }

        /** Later ones were complete. Are those damaged, an earlier one that is kept for longer is all that there is. */
        private boolean isRetired(long number) {
            return directory.peek(store.paths().committed(number)).isEmpty();
        }

        private void begin(Optional<Manifest> manifest, Map<Integer, byte[]> fetched) {
            assertThat(manifest.map(Manifest::number).orElse(0L) >= haltedAt
                            || states.isRotten(haltedAt)
                            || isRetired(haltedAt))
                    .as("A HALTED JOB GOES ON FROM ITS LAST CHECKPOINT: %d, not %s", haltedAt, manifest)
                    .isTrue();
            manifest.ifPresent(restored -> {
                restores++;
                for (int rank : spec.allRanks()) {
                    assertThat(fetched.get(rank))
                            .as("NO HALF CHECKPOINT RESTORED: rank %d from checkpoint %d", rank, restored.number())
                            .isEqualTo(states.truth(rank, restored.step()));
                }
            });
            assertThat(supervisor.status(Heard.NONE))
                    .as("NOTHING COMMITS THAT RANKS WENT BACK BEHIND")
                    .matches(status -> status.checkpoint() == 0 || status.failure() != null);
            running = true;
            last = false;
            stopsAt.clear();
            waits.clear();
            holding.clear();
            begun.clear();
            long step = manifest.map(Manifest::step).orElse(0L);
            for (int rank : spec.allRanks()) {
                steps.put(rank, step);
                supervisor.joined(rank);
                compute(rank, attempt);
            }
        }

        private void compute(int rank, int born) {
            begun.put(rank, steps.getOrDefault(rank, 0L));
            node.after(
                    simulation.between(STEP.dividedBy(2), STEP),
                    "rank " + rank + " computes",
                    () -> arrive(rank, born));
        }

        /** A step needs what both neighbours send when they begin the same step. */
        private void arrive(int rank, int born) {
            if (!running || attempt != born) {
                return;
            }
            long step = steps.getOrDefault(rank, 0L);
            if (begun.getOrDefault(rank - 1, step) < step || begun.getOrDefault(rank + 1, step) < step) {
                node.after(Duration.ofMillis(5), "rank " + rank + " waits for a neighbour", () -> arrive(rank, born));
            } else {
                safePoint(rank, born);
            }
        }

        /** As the participant library does: a held rank waits until it knows the common step, goes there, and saves. */
        private void safePoint(int rank, int born) {
            long step = steps.merge(rank, 1L, Long::sum);
            Long stop = stopsAt.get(rank);
            if (stop != null && step >= stop) {
                saveState(rank, born, step);
            } else if (stop == null && holding.contains(rank)) {
                simulation.note("rank " + rank + " waits at step " + step);
                waits.add(rank);
            } else {
                compute(rank, born);
            }
        }

        private void saveState(int rank, int born, long step) {
            long checkpoint = saving;
            byte[] state = states.truth(rank, step);
            String file = checkpoint + "-" + rank;
            stopsAt.remove(rank);
            try {
                disk.write(file, 0, state);
                disk.fsync(file);
            } catch (IOException e) {
                supervisor.failed(checkpoint, String.valueOf(e.getMessage()));
            }
            node.after(simulation.between(Duration.ofMillis(1), Duration.ofMillis(30)), "saved", () -> {
                if (running && attempt == born) {
                    supervisor.saved(checkpoint, rank, new LocalCopy(state.length, crc(state)));
                    goOn(rank, born);
                }
            });
        }

        private void goOn(int rank, int born) {
            if (last) {
                waits.add(rank);
            } else {
                compute(rank, born);
            }
        }

        @Override
        public void hold(long checkpoint) {
            held = checkpoint;
            int born = attempt;
            for (int rank : spec.allRanks()) {
                node.after(simulation.between(Duration.ofMillis(1), Duration.ofMillis(30)), "answer hold", () -> {
                    if (attempt == born && held == checkpoint) {
                        holding.add(rank);
                        supervisor.begun(checkpoint, rank, begun.getOrDefault(rank, 0L));
                    }
                });
            }
        }

        @Override
        public void save(long checkpoint, long step, boolean isLast) {
            last = isLast;
            held = 0;
            holding.clear();
            saving = checkpoint;
            spec.allRanks().forEach(rank -> stopsAt.put(rank, step));
            resume(step);
        }

        @Override
        public void release(long checkpoint) {
            last = false;
            held = 0;
            holding.clear();
            stopsAt.clear();
            resume(Long.MAX_VALUE);
        }

        /** Ranks that waited go on, or save if this is the common step. */
        private void resume(long common) {
            List<Integer> resumed = List.copyOf(waits);
            waits.clear();
            for (int rank : resumed) {
                if (steps.getOrDefault(rank, 0L) == common) {
                    saveState(rank, attempt, common);
                } else if (running) {
                    compute(rank, attempt);
                }
            }
        }

        @Override
        public void drain(long checkpoint, long base, int rank, LocalCopy copy) {
            if (drained != checkpoint) {
                drained = checkpoint;
                pages = learn(new CheckpointPages(checkpoint, store.paths()), damaged.contains(base) ? 0 : base);
            }
            upload(checkpoint, rank, copy, pages);
        }

        /** What cannot be read of the base is stored again. */
        private CompletableFuture<CheckpointPages> learn(CheckpointPages learning, long base) {
            if (base == 0) {
                return CompletableFuture.completedFuture(learning);
            }
            return store.manifest(base, client)
                    .thenCompose(manifest -> {
                        learning.addBase(manifest);
                        CompletableFuture<CheckpointPages> all = CompletableFuture.completedFuture(learning);
                        for (StoredUnit unit : manifest.isMostlyDead() ? List.<StoredUnit>of() : manifest.units()) {
                            all = all.thenCombine(client.read(unit.path()), (to, content) -> {
                                to.addBase(StateIndex.of(unit, content));
                                return to;
                            });
                        }
                        return all;
                    })
                    .exceptionally(failure -> learning);
        }

        private void upload(long checkpoint, int rank, LocalCopy copy, CompletableFuture<CheckpointPages> learnt) {
            var _ = learnt.thenCompose(known -> store(checkpoint, rank, copy, known))
                    .whenComplete((unit, failure) -> {
                        if (failure == null) {
                            supervisor.stored(checkpoint, unit);
                        } else if (failure.getCause() instanceof UncheckedIOException torn) {
                            supervisor.failed(checkpoint, String.valueOf(torn.getMessage()));
                        } else {
                            node.after(
                                    Duration.ofMillis(300),
                                    "drain again",
                                    () -> supervisor.notStored(checkpoint, rank));
                        }
                    });
        }

        private CompletableFuture<StoredUnit> store(long checkpoint, int rank, LocalCopy copy, CheckpointPages known) {
            try {
                byte[] local = disk.read(checkpoint + "-" + rank);
                StatePlan plan = known.plan(rank, PageSource.of(local), local.length, copy);
                byte[] pack = plan.pack(PageSource.of(local)).readAllBytes();
                byte[] index = plan.index().bytes();
                CompletableFuture<Void> packed = plan.newBytes() == 0
                        ? CompletableFuture.completedFuture(null)
                        : client.write(store.paths().pack(new PackId(checkpoint, rank)), pack);
                return packed.thenCompose(done -> client.write(store.paths().index(checkpoint, rank), index))
                        .thenApply(done -> known.stored(rank, plan.newBytes() == 0 ? 0 : pack.length, index));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void committed(long checkpoint) {
            simulation.note("supervisor knows checkpoint " + checkpoint + " committed");
            if (localCopy != 0) {
                discard(localCopy);
            }
            localCopy = checkpoint;
        }

        @Override
        public void halt(long checkpoint) {
            halts++;
            haltedAt = checkpoint;
            simulation.schedule(Duration.ofMillis(50), "all ranks have ended", () -> {
                if (run == this) {
                    end();
                }
            });
        }

        @Override
        public void discard(long checkpoint) {
            spec.allRanks().forEach(rank -> disk.delete(checkpoint + "-" + rank));
        }
    }

    private static long crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }
}
