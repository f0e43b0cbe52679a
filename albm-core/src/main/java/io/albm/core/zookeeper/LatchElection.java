// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.View;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership of a role: whoever creates the ephemeral node {@code leaders/<role>/latch} leads, and the same transaction
 * raises the epoch, which is the version of {@code leaders/<role>/epoch}. So there is no moment at which somebody leads
 * under an old epoch, and a leader that was cut off finds every transaction refused that names its epoch.
 *
 * <p>Candidates are few (two or three), so all of them try when the latch falls; no queue is needed. A latch that this
 * process left in an earlier session, or that a process of this machine left which has ended, is taken over at once.
 */
final class LatchElection implements Election {
    private static final Logger log = LoggerFactory.getLogger(LatchElection.class);
    private static final byte[] NO_LEADER_YET = new byte[0];

    private final Session session;
    private final Directory directory;
    private final Dispatcher dispatcher;
    private final ProcessToken process;
    private final ProcessTable processes;
    private final Role role;
    private final NodeId self;
    private final UUID election = UUID.randomUUID();
    private final String latch;
    private final String epoch;
    private final LastValue<Leadership> leadership;
    private final Repeater repeater;
    private final Runnable onLost = this::follow;
    private final Subscription watch;
    private volatile boolean closed;

    LatchElection(
            Session session,
            Directory directory,
            Watches watches,
            Dispatcher dispatcher,
            ProcessToken process,
            ProcessTable processes,
            Role role,
            NodeId self) {
        this.session = session;
        this.directory = directory;
        this.dispatcher = dispatcher;
        this.process = process;
        this.processes = processes;
        this.role = role;
        this.self = self;
        this.latch = "/leaders/" + role.id() + "/latch";
        this.epoch = Leadership.epochPath(role);
        this.leadership = new LastValue<>(dispatcher, new Leadership.Follower());
        this.repeater = new Repeater("election of the " + role.id(), dispatcher, this::step);
        session.onLost(onLost);
        this.watch = watches.watch(latch, below -> repeater.kick(), repeater::kick);
    }

    /** @param election tells elections of a process apart, of which one stands while another steps down */
    private record Holder(NodeId node, ProcessToken process, UUID election) {}

    private CompletableFuture<?> step() {
        return directory.read(latch).thenComposeAsync(this::settle, dispatcher);
    }

    private CompletableFuture<?> settle(Optional<Node> found) {
        if (found.isEmpty()) {
            return closed ? done() : take(Stream.of());
        }
        Node node = found.get();
        Op fell = directory.deleteOp(latch, node.version());
        Holder holder = Json.read(node.data(), Holder.class);
        return switch (Claim.judge(node.owner(), holder.process(), session.id(), process, processes)) {
            case Claim.Ours() -> isMine(holder) ? keep(fell) : inherit(fell);
            case Claim.Abandoned() -> inherit(fell);
            case Claim.Held _ -> {
                follow();
                yield done();
            }
        };
    }

    private boolean isMine(Holder holder) {
        return election.equals(holder.election());
    }

    private CompletableFuture<?> keep(Op fell) {
        return closed ? directory.transact(List.of(fell)) : confirm();
    }

    /** Who holds the latch is gone, or an earlier election of this process, which led with an epoch of its own. */
    private CompletableFuture<?> inherit(Op fell) {
        return closed ? done() : take(Stream.of(fell));
    }

    private CompletableFuture<?> take(Stream<Op> first) {
        byte[] holder = Json.bytes(new Holder(self, process, election));
        List<Op> takeover = Stream.concat(
                        first,
                        Stream.of(
                                directory.setOp(epoch, holder, -1),
                                directory.createOp(latch, holder, CreateMode.EPHEMERAL)))
                .toList();
        return directory.transact(takeover).thenCompose(done -> confirm()).exceptionallyCompose(this::makeEpoch);
    }

    /** While the latch is this election's, nobody else can have raised the epoch: what stands there is this leader's. */
    private CompletableFuture<Void> confirm() {
        return directory
                .read(epoch)
                .thenAcceptAsync(node -> node.ifPresent(found -> lead(found.version())), dispatcher);
    }

    private void lead(long raised) {
        boolean over = closed || session.connection().get() == ConnectionState.LOST;
        if (!over && !leadership.get().equals(new Leadership.Leader(raised))) {
            log.info("{} leads as {} from epoch {} on", self, role.id(), raised);
            leadership.set(new Leadership.Leader(raised));
        }
    }

    private void follow() {
        if (leadership.get() instanceof Leadership.Leader(long last)) {
            log.warn("{} no longer leads as {}; its epoch was {}", self, role.id(), last);
        }
        leadership.set(new Leadership.Follower());
    }

    /** The first election of a role finds no epoch to raise. */
    private CompletableFuture<Void> makeEpoch(Throwable failure) {
        return ZooKeeperFailure.is(failure, Code.NONODE)
                ? directory.create(epoch, NO_LEADER_YET, CreateMode.PERSISTENT).thenRun(repeater::kick)
                : CompletableFuture.failedFuture(failure);
    }

    private static CompletableFuture<?> done() {
        return CompletableFuture.completedFuture(Boolean.TRUE);
    }

    @Override
    public View<Leadership> leadership() {
        return leadership;
    }

    @Override
    public void close() {
        closed = true;
        dispatcher.execute(this::follow);
        repeater.kick();
        watch.close();
        session.forget(onLost);
    }
}
