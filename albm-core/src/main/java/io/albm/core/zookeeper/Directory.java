// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.zookeeper.ZooKeeperFailure.ConnectionBroke;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's asynchronous calls under one root, as futures that say exactly what is known of the outcome. Nothing is
 * retried here: a retried transaction that had gone through the first time would report a conflict with itself.
 *
 * <p>Paths are relative to the root. Futures fail with {@link ZooKeeperFailure} and complete on ZooKeeper's event thread,
 * in the order of the calls; nobody may block there.
 */
final class Directory {
    private static final byte[] EMPTY = new byte[0];

    private final Session session;
    private final String root;

    Directory(Session session, String root) {
        this.session = session;
        this.root = root;
    }

    String absolute(String path) {
        return path.equals("/") ? root : root + path;
    }

    CompletableFuture<Optional<Node>> read(String path) {
        CompletableFuture<Node> answer = send((zooKeeper, result) -> zooKeeper.getData(
                absolute(path),
                false,
                (code, where, context, data, stat) ->
                        settle(result, code, path, () -> Node.of(data == null ? EMPTY : data, stat)),
                null));
        return orIfAbsent(answer.thenApply(Optional::of), Optional.empty());
    }

    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> answer = send((zooKeeper, result) -> zooKeeper.getChildren(
                absolute(path),
                false,
                (int code, String where, Object context, List<String> names) -> settle(result, code, path, () -> names),
                null));
        return orIfAbsent(answer, List.of());
    }

    /** The parents are made if they are missing. */
    CompletableFuture<Node> create(String path, byte[] data, CreateMode mode) {
        return withParents(path, () -> createOnly(absolute(path), data, mode));
    }

    private CompletableFuture<Node> createOnly(String absolute, byte[] data, CreateMode mode) {
        return send((zooKeeper, result) -> zooKeeper.create(
                absolute,
                data,
                Ids.OPEN_ACL_UNSAFE,
                mode,
                (code, where, context, name, stat) -> settle(result, code, absolute, () -> Node.of(data, stat)),
                null));
    }

    CompletableFuture<Node> set(String path, byte[] data, int version) {
        return send((zooKeeper, result) -> zooKeeper.setData(
                absolute(path),
                data,
                version,
                (code, where, context, stat) -> settle(result, code, path, () -> Node.of(data, stat)),
                null));
    }

    CompletableFuture<List<OpResult>> transact(List<Op> operations) {
        return send((zooKeeper, result) -> zooKeeper.multi(
                operations,
                (code, path, context, results) -> {
                    if (code == Code.OK.intValue()) {
                        result.complete(results);
                    } else {
                        result.completeExceptionally(refusal(Code.get(code), operations, results));
                    }
                },
                null));
    }

    /** The operations before the refused one report success, the ones after it that they were not looked at. */
    private static ZooKeeperFailure refusal(Code code, List<Op> operations, @Nullable List<OpResult> results) {
        int refused = 0;
        while (results != null && refused < results.size() - 1 && !failedWith(code, results.get(refused))) {
            refused++;
        }
        return ZooKeeperFailure.of(code, operations.get(refused).getPath(), refused);
    }

    private static boolean failedWith(Code code, OpResult result) {
        return result instanceof OpResult.ErrorResult error && error.getErr() == code.intValue();
    }

    Op createOp(String path, byte[] data, CreateMode mode) {
        return Op.create(absolute(path), data, Ids.OPEN_ACL_UNSAFE, mode);
    }

    Op setOp(String path, byte[] data, int version) {
        return Op.setData(absolute(path), data, version);
    }

    Op deleteOp(String path, int version) {
        return Op.delete(absolute(path), version);
    }

    Op checkOp(String path, int version) {
        return Op.check(absolute(path), version);
    }

    /** Events of the node and of everything below it, until it is removed or the session ends. */
    CompletableFuture<?> watch(String path, Watcher watcher) {
        return send((zooKeeper, result) -> zooKeeper.addWatch(
                absolute(path),
                watcher,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, where, context) -> settle(result, code, path, () -> where),
                null));
    }

    CompletableFuture<?> unwatch(String path, Watcher watcher) {
        return send((zooKeeper, result) -> zooKeeper.removeWatches(
                absolute(path),
                watcher,
                Watcher.WatcherType.Any,
                true,
                (code, where, context) -> settle(result, code, path, () -> where),
                null));
    }

    /** Makes the missing parents of a node, and keeps them. */
    CompletableFuture<?> makeParents(String path) {
        return make(parent(absolute(path)));
    }

    private CompletableFuture<?> make(String absolute) {
        return withAbsoluteParents(absolute, () -> createOnly(absolute, EMPTY, CreateMode.PERSISTENT))
                .handle((made, failure) -> failure == null || ZooKeeperFailure.is(failure, Code.NODEEXISTS)
                        ? CompletableFuture.completedFuture(absolute)
                        : CompletableFuture.<String>failedFuture(failure))
                .thenCompose(outcome -> outcome);
    }

    private CompletableFuture<Node> withParents(String path, Supplier<CompletableFuture<Node>> create) {
        return withAbsoluteParents(absolute(path), create);
    }

    /** Parents are nearly always there: they are looked at only when the creation says that they are not. */
    private CompletableFuture<Node> withAbsoluteParents(String absolute, Supplier<CompletableFuture<Node>> create) {
        return create.get()
                .exceptionallyCompose(failure -> ZooKeeperFailure.is(failure, Code.NONODE)
                        ? make(parent(absolute)).thenCompose(made -> create.get())
                        : CompletableFuture.failedFuture(failure));
    }

    private static String parent(String absolute) {
        return absolute.substring(0, Math.max(1, absolute.lastIndexOf('/')));
    }

    private interface Request<T> {
        void send(ZooKeeper zooKeeper, CompletableFuture<T> result);
    }

    private <T> CompletableFuture<T> send(Request<T> request) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            request.send(session.handle(), result);
        } catch (ConnectionBroke e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private static <T> void settle(CompletableFuture<T> result, int code, String path, Supplier<T> value) {
        if (code == Code.OK.intValue()) {
            result.complete(value.get());
        } else {
            result.completeExceptionally(ZooKeeperFailure.of(Code.get(code), path, 0));
        }
    }

    private static <T> CompletableFuture<T> orIfAbsent(CompletableFuture<T> answer, T absent) {
        return answer.exceptionallyCompose(failure -> ZooKeeperFailure.is(failure, Code.NONODE)
                ? CompletableFuture.completedFuture(absent)
                : CompletableFuture.failedFuture(failure));
    }
}
