// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Operation.Check;
import io.albm.core.cluster.Operation.Create;
import io.albm.core.cluster.Operation.Delete;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.zookeeper.ZooKeeperFailure.ConnectionBroke;
import io.albm.core.zookeeper.ZooKeeperFailure.Refused;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;

/** The tree of decisions in ZooKeeper. A commit is one ZooKeeper transaction. */
final class ZooKeeperStore implements CoordinationStore {
    /** ZooKeeper drops the connection of a client that sends a megabyte: refused here, where it can be named. */
    private static final int COMMIT_BYTES_AT_MOST = 900 * 1024;

    private static final int READ_ATTEMPTS = 3;

    private final Session session;
    private final Directory directory;
    private final Watches watches;
    private final Dispatcher dispatcher;

    ZooKeeperStore(Session session, Directory directory, Watches watches, Dispatcher dispatcher) {
        this.session = session;
        this.directory = directory;
        this.watches = watches;
        this.dispatcher = dispatcher;
    }

    @Override
    public CompletableFuture<Optional<Versioned>> read(String path) {
        checkPath(path);
        return answer(reading(() -> directory.read(path), READ_ATTEMPTS))
                .thenApply(node -> node.map(found -> new Versioned(found.data(), found.version())));
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        checkPath(path);
        return answer(reading(() -> directory.children(path), READ_ATTEMPTS))
                .thenApply(names -> names.stream().sorted().toList());
    }

    /** A read may be sent again when the connection broke under it. */
    private <T> CompletableFuture<T> reading(Supplier<CompletableFuture<T>> read, int attempts) {
        return session.connectedSoon()
                .thenCompose(connected -> read.get()
                        .exceptionallyCompose(failure ->
                                attempts > 1 ? reading(read, attempts - 1) : CompletableFuture.failedFuture(failure)))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(unavailable(failure)));
    }

    @Override
    public CompletableFuture<Void> commit(List<Operation> operations) {
        check(operations);
        List<Operation> all = List.copyOf(operations);
        return answer(session.connectedSoon()
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(unavailable(failure)))
                .thenCompose(connected -> transact(all, all.size()))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(translate(failure, all))));
    }

    /** A refused transaction changed nothing, so it may be sent again once a missing parent is there. */
    private CompletableFuture<Void> transact(List<Operation> operations, int parentsToMake) {
        return directory
                .transact(operations.stream().map(this::translate).toList())
                .<Void>thenApply(results -> null)
                .exceptionallyCompose(failure ->
                        parentsToMake > 0 && orphan(operations, failure) instanceof Create orphan
                                ? directory
                                        .makeParents(orphan.path())
                                        .thenCompose(made -> transact(operations, parentsToMake - 1))
                                : CompletableFuture.failedFuture(failure));
    }

    /** The creation that was refused because its parent is missing, if that is what happened. */
    private static @Nullable Operation orphan(List<Operation> operations, Throwable failure) {
        return ZooKeeperFailure.cause(failure) instanceof Refused refused && refused.code() == Code.NONODE
                ? operations.get(refused.operation())
                : null;
    }

    private Op translate(Operation operation) {
        return switch (operation) {
            case Create create ->
                directory.createOp(
                        create.path(),
                        create.data(),
                        create.ephemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT);
            case Operation.Set set -> directory.setOp(set.path(), set.data(), set.version());
            case Delete delete -> directory.deleteOp(delete.path(), delete.version());
            case Check check -> directory.checkOp(check.path(), check.version());
        };
    }

    private static RuntimeException translate(Throwable failure, List<Operation> operations) {
        return switch (ZooKeeperFailure.cause(failure)) {
            case CoordinationException known -> known;
            case ConnectionBroke broke -> new CoordinationException.OutcomeUnknown(broke.getMessage());
            case Refused refused ->
                translate(refused, operations.get(refused.operation()).path());
            case RuntimeException unexpected -> unexpected;
            case Throwable unexpected -> new IllegalStateException(unexpected);
        };
    }

    private static CoordinationException translate(Refused refused, String path) {
        return switch (refused.code()) {
            case NONODE -> new CoordinationException.NoSuchNode(path);
            case NODEEXISTS, NOTEMPTY -> new CoordinationException.NodeExists(path);
            case BADVERSION -> new CoordinationException.VersionConflict(path);
            default -> new CoordinationException.Unavailable(refused.getMessage());
        };
    }

    private static CoordinationException unavailable(Throwable failure) {
        return new CoordinationException.Unavailable(
                ZooKeeperFailure.cause(failure).toString());
    }

    @Override
    public Subscription watch(String path, Runnable onChange) {
        checkPath(path);
        JoinedCalls calls = new JoinedCalls(dispatcher, onChange);
        Subscription watch = watches.watch(
                path,
                below -> {
                    if (below.lastIndexOf('/') <= 0) {
                        calls.request();
                    }
                },
                calls::request);
        return () -> {
            calls.stop();
            watch.close();
        };
    }

    private static void check(List<Operation> operations) {
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("a commit without operations");
        }
        operations.forEach(operation -> checkPath(operation.path()));
        int bytes = operations.stream().mapToInt(ZooKeeperStore::contentBytes).sum();
        if (bytes > COMMIT_BYTES_AT_MOST) {
            throw new IllegalArgumentException("a commit of " + bytes + " bytes at "
                    + operations.getFirst().path() + ": at most " + COMMIT_BYTES_AT_MOST + " fit in a transaction");
        }
    }

    private static int contentBytes(Operation operation) {
        return switch (operation) {
            case Create create -> create.data().length;
            case Operation.Set set -> set.data().length;
            case Delete _, Check _ -> 0;
        };
    }

    private static void checkPath(String path) {
        PathUtils.validatePath(path);
    }

    /** Off ZooKeeper's event thread, so that whoever waits on the answer may block. */
    private static <T> CompletableFuture<T> answer(CompletableFuture<T> inner) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        inner.whenCompleteAsync(
                (value, failure) -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(ZooKeeperFailure.cause(failure));
                    }
                },
                Thread::startVirtualThread);
        return answer;
    }
}
