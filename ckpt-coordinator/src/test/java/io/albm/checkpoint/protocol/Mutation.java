// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A guard taken away from the outside, to see that the checker notices. The base takes none. */
class Mutation {
    /** As the guard computes it. */
    String digestOfFetched(StoredUnit unit, byte[] content) {
        return Digests.sha256(content);
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
    }

    /** Transactions do not check who leads. */
    static final class WithoutEpochCheck extends Mutation {
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
                            .filter(operation -> !(operation instanceof Operation.Check))
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
            Map<Integer, StoredUnit> stored = new HashMap<>(status.stored());
            status.saved().forEach((rank, copy) -> {
                String path = paths.unit(status.checkpoint(), rank);
                claimed.put(path, copy.size());
                stored.putIfAbsent(rank, new StoredUnit(rank, path, copy.size(), "unknown"));
            });
            return new Answer.Status(
                    status.checkpoint(),
                    status.ready(),
                    status.begun(),
                    status.saved(),
                    stored,
                    status.failure(),
                    status.segments());
        }
    }

    /** The same, and nobody looks whether the units are there. */
    static final class WithEarlyVotesUnverified extends WithEarlyVotes {
        @Override
        CheckpointFiles files(CheckpointFiles files) {
            return new CheckpointFiles() {
                @Override
                public CompletableFuture<Void> write(String path, byte[] content) {
                    return files.write(path, content);
                }

                @Override
                public CompletableFuture<byte[]> read(String path) {
                    return files.read(path);
                }

                @Override
                public CompletableFuture<OptionalLong> size(String path) {
                    return CompletableFuture.completedFuture(OptionalLong.of(claimed.getOrDefault(path, 0L)));
                }

                @Override
                public CompletableFuture<List<String>> list(String prefix) {
                    return files.list(prefix);
                }

                @Override
                public CompletableFuture<Void> delete(String path) {
                    return files.delete(path);
                }
            };
        }
    }
}
