// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.it.ZooKeeperRelay.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Where a checkpoint can be held, from its begin to the end of the collection of older ones. */
enum CheckpointPhase {
    PREPARE {
        @Override
        Held arm(CheckpointCluster cluster) throws IOException {
            long silent = cluster.job().pids().getLast();
            Files.deleteIfExists(cluster.gate(PairRank.ASKED + 0));
            Signal.STOP.to(silent);
            return new Held(() -> Files.exists(cluster.gate(PairRank.ASKED + 0)), () -> Signal.CONT.toIfThere(silent));
        }
    },
    /** One rank has written half of its state, the other is done. */
    SNAPSHOT {
        @Override
        Held arm(CheckpointCluster cluster) throws IOException {
            Files.deleteIfExists(cluster.gate(PairRank.SAVING));
            Files.createFile(cluster.gate(PairRank.HOLD_SAVING));
            return new Held(
                    () -> Files.exists(cluster.gate(PairRank.SAVING)),
                    () -> Files.deleteIfExists(cluster.gate(PairRank.HOLD_SAVING)));
        }
    },
    /** All ranks have said that they saved, and the coordinator is about to record that. */
    LAST_VOTE {
        @Override
        Held arm(CheckpointCluster cluster) {
            return beforeTransaction(
                    cluster, request -> request.has("/inflight/") && !request.has("/next") && !request.has("/aborted"));
        }
    },
    /** A unit of a stripe is on its way to an I/O node. */
    DRAIN {
        @Override
        Held arm(CheckpointCluster cluster) {
            Hold hold = new Hold();
            String leader = cluster.tableLeader();
            List<StorageRelay> relays = CheckpointCluster.NODES.stream()
                    .filter(node -> !node.equals(leader))
                    .map(cluster::storageRelay)
                    .toList();
            relays.forEach(relay -> relay.holdAfter(HALF_A_UNIT, hold));
            return new Held(hold::isReached, () -> {
                relays.forEach(StorageRelay::disarm);
                hold.release();
            });
        }
    },
    /** The manifest is stored, and the commit not yet sent. */
    COMMIT {
        @Override
        Held arm(CheckpointCluster cluster) {
            return beforeTransaction(cluster, CheckpointPhase::commits);
        }
    },
    /** The commit is done, and whoever sent it never hears that. */
    COMMIT_REPLY {
        @Override
        Held arm(CheckpointCluster cluster) {
            ZooKeeperRelay relay = cluster.relay(cluster.leader());
            Hold hold = relay.holdReply(request -> request.isTransaction() && commits(request));
            return new Held(hold::isReached, () -> {
                relay.cut();
                hold.release();
            });
        }
    },
    /** The coordinator knows of the commit, and has not begun to collect. */
    COMMITTED {
        @Override
        Held arm(CheckpointCluster cluster) {
            return beforeTransaction(cluster, request -> request.has("/drains/"));
        }
    },
    /** The record of an older checkpoint is gone, and its files are not. */
    COLLECT {
        @Override
        Held arm(CheckpointCluster cluster) {
            return before(cluster, new Predicate<>() {
                private volatile boolean forgotten;

                @Override
                public boolean test(Request request) {
                    if (request.isTransaction() && request.has("/committed/") && request.has("/marks")) {
                        forgotten = true;
                    }
                    return forgotten && request.isRead() && request.has("/" + CheckpointCluster.JOB + "/next");
                }
            });
        }
    };

    private static final int HALF_A_UNIT = 8 << 10;

    /** How a checkpoint is let go on. */
    @FunctionalInterface
    interface Release {
        void run() throws IOException;
    }

    /** A checkpoint that stands, or is going to. */
    record Held(BooleanSupplier reached, Release free) {
        boolean isReached() {
            return reached.getAsBoolean();
        }

        void release() throws IOException {
            free.run();
        }
    }

    /** Holds the next checkpoint in this phase. */
    abstract Held arm(CheckpointCluster cluster) throws IOException;

    /** Whether the ranks have nothing more to do for the checkpoint. */
    boolean isSaved() {
        return compareTo(LAST_VOTE) >= 0;
    }

    /** Whether a coordinator that knows nothing but what is recorded can end the checkpoint. */
    boolean isRecorded() {
        return compareTo(DRAIN) >= 0;
    }

    /** Whether it is the ranks or their storage that are held, and not the leader's own requests. */
    boolean isHeldOfRanks() {
        return this == PREPARE || this == SNAPSHOT || this == DRAIN;
    }

    private static boolean commits(Request request) {
        return request.has("/committed/") && request.has("/latest");
    }

    private static Held beforeTransaction(CheckpointCluster cluster, Predicate<Request> wanted) {
        return before(cluster, request -> request.isTransaction() && wanted.test(request));
    }

    private static Held before(CheckpointCluster cluster, Predicate<Request> wanted) {
        Hold hold = cluster.relay(cluster.leader()).holdBefore(wanted);
        return new Held(hold::isReached, hold::release);
    }
}
