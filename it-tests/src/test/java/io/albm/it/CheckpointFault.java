// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;

import io.albm.it.CheckpointPhase.Held;
import java.io.IOException;

/** Which process is struck while a checkpoint is held, and what becomes of it then. */
enum CheckpointFault {
    COORDINATOR {
        @Override
        void kill(CheckpointCluster cluster, Held held) throws IOException {
            String leader = cluster.leader();
            cluster.killCoordinator(leader);
            cluster.depose(leader);
            held.release();
            cluster.startCoordinator(leader);
        }

        @Override
        String victim(CheckpointCluster cluster) {
            return cluster.leader();
        }

        // It goes on when another one has led the checkpoint to its end.
        @Override
        void whileStopped(String leader, CheckpointCluster cluster, CheckpointPhase phase, Held held)
                throws IOException {
            cluster.depose(leader);
            if (phase.isHeldOfRanks()) {
                held.release();
            }
            cluster.awaitSettled();
            held.release();
        }

        @Override
        boolean isSurvived(Signal signal, CheckpointPhase phase) {
            return phase.isRecorded();
        }
    },
    RANK {
        @Override
        void kill(CheckpointCluster cluster, Held held) throws IOException {
            int attempts = cluster.job().events("started").size();
            Signal.KILL.to(cluster.pid(victim(cluster)));
            held.release();
            await().alias("ranks are started again")
                    .until(() -> cluster.job().events("started").size() > attempts);
        }

        @Override
        String victim(CheckpointCluster cluster) {
            return CheckpointCluster.RANK;
        }

        @Override
        void whileStopped(String rank, CheckpointCluster cluster, CheckpointPhase phase, Held held) throws IOException {
            held.release();
            if (phase.isSaved()) {
                cluster.awaitSettled();
            }
        }

        @Override
        boolean isSurvived(Signal signal, CheckpointPhase phase) {
            return signal == Signal.STOP || phase.isSaved();
        }
    },
    IO_NODE {
        @Override
        void kill(CheckpointCluster cluster, Held held) throws IOException {
            String node = victim(cluster);
            cluster.kill(node);
            held.release();
            cluster.awaitSettled();
            cluster.restart(node);
        }

        // Not the one that leads the file table: the storage's own tests strike that.
        @Override
        String victim(CheckpointCluster cluster) {
            String leader = cluster.tableLeader();
            return CheckpointCluster.NODES.stream()
                    .filter(node -> !node.equals(leader))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        void whileStopped(String node, CheckpointCluster cluster, CheckpointPhase phase, Held held) throws IOException {
            long before = cluster.storageRelay(node).passed();
            held.release();
            await().alias("something waits for the node, or nothing has to")
                    .until(() ->
                            cluster.isSettled() || cluster.storageRelay(node).passed() > before);
        }
    },
    ZOOKEEPER {
        @Override
        void kill(CheckpointCluster cluster, Held held) throws IOException {
            cluster.kill(CheckpointCluster.ZOOKEEPER);
            held.release();
            cluster.restart(CheckpointCluster.ZOOKEEPER);
        }

        @Override
        String victim(CheckpointCluster cluster) {
            return CheckpointCluster.ZOOKEEPER;
        }

        @Override
        void whileStopped(String server, CheckpointCluster cluster, CheckpointPhase phase, Held held)
                throws IOException {
            held.release();
            await().alias("a coordinator waits for ZooKeeper").until(cluster::isZooKeeperAwaited);
        }
    };

    /** SIGKILL, and what an operator or the cluster does then. */
    abstract void kill(CheckpointCluster cluster, Held held) throws IOException;

    /** SIGSTOP, and SIGCONT when that was noticed. */
    void stop(CheckpointCluster cluster, CheckpointPhase phase, Held held) throws IOException {
        String victim = victim(cluster);
        long pid = cluster.pid(victim);
        Signal.STOP.to(pid);
        try {
            whileStopped(victim, cluster, phase, held);
        } finally {
            Signal.CONT.to(pid);
        }
        cluster.awaitOneLeader();
    }

    /** Whether the checkpoint becomes complete all the same. */
    boolean isSurvived(Signal signal, CheckpointPhase phase) {
        return true;
    }

    abstract String victim(CheckpointCluster cluster);

    abstract void whileStopped(String victim, CheckpointCluster cluster, CheckpointPhase phase, Held held)
            throws IOException;
}
