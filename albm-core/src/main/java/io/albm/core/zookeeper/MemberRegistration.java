// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.DuplicateNodeException;
import io.albm.core.cluster.Registration;
import io.albm.core.cluster.Subscription;
import io.albm.core.node.Member;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this process's entry in the membership what it should be: there with the right content, owned by the present
 * session, or gone once closed. Every event leads to the same step, which reads the entry and does what is missing.
 *
 * <p>An entry of another session under the same id is the hard case. If its process is this one in an earlier session,
 * or ran on this machine and has ended, this one takes its place at once, so that a process that was killed and restarted
 * is back without a wait. If it runs on this machine, the id is refused at once. If it is on another machine, only its
 * session can tell: this one waits somewhat longer than a session timeout for the entry to vanish, then refuses.
 */
final class MemberRegistration implements Registration {
    private static final Logger log = LoggerFactory.getLogger(MemberRegistration.class);

    /** ZooKeeper expires a session within one tick after its timeout, and a tick is at most half of the timeout. */
    private static final double WAIT_IN_SESSION_TIMEOUTS = 1.7;

    private final Session session;
    private final Directory directory;
    private final Dispatcher dispatcher;
    private final ProcessToken process;
    private final ProcessTable processes;
    private final String path;
    private final Repeater repeater;
    private final Subscription watch;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();
    private volatile Member self;
    private volatile boolean closed;
    private boolean waiting;
    private boolean waitedEnough;
    private long connections;

    MemberRegistration(
            Session session,
            Directory directory,
            Watches watches,
            Dispatcher dispatcher,
            ProcessToken process,
            ProcessTable processes,
            Member self) {
        this.session = session;
        this.directory = directory;
        this.dispatcher = dispatcher;
        this.process = process;
        this.processes = processes;
        this.self = self;
        this.path = path(self);
        this.repeater = new Repeater("membership of " + self.id(), dispatcher, this::step);
        this.watch = watches.watch(path, below -> repeater.kick(), () -> dispatcher.execute(this::connected));
    }

    static String path(Member member) {
        return "/members/" + member.role().id() + "/" + member.id();
    }

    /** A wait for somebody else's session counts only while ZooKeeper is there to end it. */
    private void connected() {
        connections++;
        waiting = false;
        waitedEnough = false;
        repeater.kick();
    }

    private CompletableFuture<?> step() {
        return directory.read(path).thenComposeAsync(this::settle, dispatcher);
    }

    private CompletableFuture<?> settle(Optional<Node> found) {
        if (found.isEmpty()) {
            return closed ? done() : create();
        }
        Node node = found.get();
        MemberEntry entry = MemberEntry.parse(node.data());
        return switch (Claim.judge(node.owner(), entry.process(), session.id(), process, processes)) {
            case Claim.Ours() -> closed ? delete(node) : update(node);
            case Claim.Abandoned() -> closed ? done() : replace(node);
            case Claim.Held(boolean running) -> closed ? done() : held(entry, running);
        };
    }

    private CompletableFuture<?> create() {
        return directory.create(path, content(), CreateMode.EPHEMERAL).thenRunAsync(this::succeeded, dispatcher);
    }

    private CompletableFuture<?> update(Node node) {
        byte[] content = content();
        if (Arrays.equals(content, node.data())) {
            succeeded();
            return done();
        }
        return directory.set(path, content, node.version()).thenRunAsync(this::succeeded, dispatcher);
    }

    /** In one transaction, so that nobody sees this member missing. */
    private CompletableFuture<?> replace(Node abandoned) {
        return directory
                .transact(List.of(
                        directory.deleteOp(path, abandoned.version()),
                        directory.createOp(path, content(), CreateMode.EPHEMERAL)))
                .thenRunAsync(this::succeeded, dispatcher);
    }

    private CompletableFuture<?> delete(Node node) {
        return directory.transact(List.of(directory.deleteOp(path, node.version())));
    }

    private CompletableFuture<?> held(MemberEntry other, boolean running) {
        if (running || waitedEnough) {
            refuse(other);
        } else if (!waiting) {
            waiting = true;
            log.info("node id {} is held by {}; waiting until its session ends", self.id(), other.holder());
            waitOut(connections);
        }
        return done();
    }

    private void waitOut(long connection) {
        long millis = Math.round(session.timeout().toMillis() * WAIT_IN_SESSION_TIMEOUTS);
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, dispatcher)
                .execute(() -> {
                    waitedEnough = connection == connections;
                    repeater.kick();
                });
    }

    private void refuse(MemberEntry other) {
        DuplicateNodeException duplicate = new DuplicateNodeException(self.id(), other.holder());
        if (registered.isDone()) {
            log.error("no longer a member: {}", duplicate.getMessage());
        } else {
            closed = true;
            registered.completeAsync(
                    () -> {
                        throw duplicate;
                    },
                    Thread::startVirtualThread);
        }
    }

    private void succeeded() {
        waiting = false;
        if (!registered.isDone()) {
            log.info("registered as {} {}", self.role().id(), self.id());
            registered.completeAsync(() -> null, Thread::startVirtualThread);
        }
    }

    private byte[] content() {
        return new MemberEntry(self, process).toBytes();
    }

    private static CompletableFuture<?> done() {
        return CompletableFuture.completedFuture(Boolean.TRUE);
    }

    @Override
    public CompletableFuture<Void> registered() {
        return registered;
    }

    @Override
    public void update(Member next) {
        if (!path(next).equals(path)) {
            throw new IllegalArgumentException("registered as " + path + ", cannot become " + path(next));
        }
        self = next;
        repeater.kick();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        registered.cancel(false);
        repeater.kick();
        watch.close();
    }
}
