// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.savings.PageCheck;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.node.Role;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A guard taken away from the outside, to see that the checker notices. The base takes none. */
class Mutation {
    /** As the guard computes it. */
    String digestOfFetched(StoredUnit unit, byte[] content) {
        return Digests.sha256(content);
    }

    /** As a restore holds each page against its hash. */
    PageCheck pageCheck() {
        return PageCheck.byHash();
    }

    CoordinationStore store(CoordinationStore store) {
        return store;
    }

    SupervisorLink link(SupervisorLink link) {
        return link;
    }

    CheckpointFiles files(CheckpointFiles files) {
        return files;
    }

    /** What is read back is believed. */
    static final class WithoutDigestCheck extends Mutation {
        @Override
        String digestOfFetched(StoredUnit unit, byte[] content) {
            return unit.sha256();
        }

        @Override
        PageCheck pageCheck() {
            return (index, page, bytes, from) -> true;
        }
    }

    /** Transactions do not check who leads. */
    static final class WithoutEpochCheck extends WithoutCheckOf {
        WithoutEpochCheck() {
            super(Leadership.epochPath(Role.COORDINATOR));
        }
    }

    /** Old checkpoints go without a look whether somebody has pinned them since it was decided. */
    static final class WithoutMarksCheck extends WithoutCheckOf {
        WithoutMarksCheck() {
            super(new JobPaths("job").marks());
        }
    }

    /** A checkpoint begins on a base that nobody has looked at since it was chosen. */
    static final class WithoutBaseCheck extends WithoutCheckOf {
        WithoutBaseCheck(long base) {
            super(new JobPaths("job").committed(base));
        }
    }

    /** Transactions do not check the version of one node. */
    abstract static class WithoutCheckOf extends Mutation {
        private final String path;

        WithoutCheckOf(String path) {
            this.path = path;
        }

        @Override
        CoordinationStore store(CoordinationStore store) {
            return new CoordinationStore() {
                @Override
                public CompletableFuture<Optional<Versioned>> read(String path) {
                    return store.read(path);
                }

                @Override
                public CompletableFuture<List<String>> children(String path) {
                    return store.children(path);
                }

                @Override
                public CompletableFuture<Void> commit(List<Operation> operations) {
                    return store.commit(operations.stream()
                            .filter(operation -> !(operation instanceof Operation.Check(String checked, int _)
                                    && checked.equals(path)))
                            .toList());
                }

                @Override
                public Subscription watch(String path, Runnable onChange) {
                    return store.watch(path, onChange);
                }
            };
        }
    }

    /** As soon as all have saved, all count as stored. */
    static class WithEarlyVotes extends Mutation {
        final Map<String, Long> claimed = new HashMap<>();

        @Override
        SupervisorLink link(SupervisorLink link) {
            return command -> link.tell(command).thenApply(this::claim);
        }

        private Answer claim(Answer answer) {
            return switch (answer) {
                case Answer.Fenced fenced -> fenced;
                case Answer.Status status -> claimAll(status);
            };
        }

        private Answer.Status claimAll(Answer.Status status) {
            JobPaths paths = new JobPaths("job");
            Answer.Progress told = status.progress();
            Map<Integer, StoredUnit> stored = new HashMap<>(told.stored());
            told.saved().forEach((rank, copy) -> {
                String path = paths.index(status.checkpoint(), rank);
                claimed.put(path, 1L);
                Pack none = new Pack(new PackId(status.checkpoint(), rank), 0, 0);
                stored.putIfAbsent(
                        rank, new StoredUnit(rank, path, copy.size(), "unknown", 1, "unknown", 0, none, List.of()));
            });
            return new Answer.Status(
                    status.checkpoint(),
                    status.ready(),
                    new Answer.Progress(told.from(), told.heard(), told.more(), told.begun(), told.saved(), stored),
                    status.failure(),
                    status.segments(),
                    status.drainProgress());
        }
    }

    /** The same, and nobody looks whether the units are there. */
    static final class WithEarlyVotesUnverified extends WithEarlyVotes {
        @Override
        CheckpointFiles files(CheckpointFiles files) {
            return new Forwarding(files) {
                @Override
                public CompletableFuture<Map<String, Long>> list(String prefix) {
                    return super.list(prefix).thenApply(listed -> {
                        Map<String, Long> all = new HashMap<>(listed);
                        all.putAll(claimed);
                        return all;
                    });
                }
            };
        }
    }

    /** Not a guard: as soon as a checkpoint has its manifest, the storage says that its units are gone. */
    static final class WithLostUnits extends Mutation {
        private final JobPaths paths = new JobPaths("job");
        private final Set<Long> lost = new HashSet<>();

        @Override
        CheckpointFiles files(CheckpointFiles files) {
            return new Forwarding(files) {
                @Override
                public CompletableFuture<Void> write(String path, byte[] content) {
                    return super.write(path, content).thenRun(() -> lost.add(paths.numberOf(path)));
                }

                @Override
                public CompletableFuture<Map<String, Long>> list(String prefix) {
                    return super.list(prefix).thenApply(listed -> {
                        Map<String, Long> left = new HashMap<>(listed);
                        left.keySet().removeIf(path -> lost.contains(paths.numberOf(path)));
                        return left;
                    });
                }
            };
        }
    }

    /** Who removes a checkpoint removes its packs, whoever else needs them. */
    static final class WithCollectionByNumber extends Mutation {
        @Override
        CheckpointFiles files(CheckpointFiles files) {
            return new Forwarding(files) {
                @Override
                public CompletableFuture<Void> delete(String path) {
                    return path.endsWith(".index")
                            ? super.delete(path).thenCompose(done -> super.delete(path.replace(".index", ".pack")))
                            : super.delete(path);
                }
            };
        }
    }

    /** Changes nothing. */
    private static class Forwarding implements CheckpointFiles {
        private final CheckpointFiles files;

        Forwarding(CheckpointFiles files) {
            this.files = files;
        }

        @Override
        public CompletableFuture<Void> write(String path, byte[] content) {
            return files.write(path, content);
        }

        @Override
        public CompletableFuture<byte[]> read(String path) {
            return files.read(path);
        }

        @Override
        public CompletableFuture<Map<String, Long>> list(String prefix) {
            return files.list(prefix);
        }

        @Override
        public CompletableFuture<Void> delete(String path) {
            return files.delete(path);
        }
    }
}
