// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.storage.BlockClient;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets some calls through to the storage nodes and holds all later ones back, so that an operation stands in its middle. */
final class HeldBlocks {
    private final AtomicInteger calls = new AtomicInteger();
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final int free;

    /** @param free calls that are let through */
    HeldBlocks(int free) {
        this.free = free;
    }

    BlockClient before(BlockClient nodes) {
        return (BlockClient) Proxy.newProxyInstance(
                HeldBlocks.class.getClassLoader(),
                new Class<?>[] {BlockClient.class},
                (proxy, method, arguments) -> call(nodes, method, arguments));
    }

    private Object call(BlockClient nodes, Method method, Object[] arguments) {
        if (method.getReturnType() == BlockClient.class) {
            return before((BlockClient) pass(nodes, method, arguments));
        }
        if (calls.incrementAndGet() <= free) {
            return pass(nodes, method, arguments);
        }
        reached.complete(null);
        return released.thenCompose(nothing -> (CompletableFuture<?>) pass(nodes, method, arguments));
    }

    private static Object pass(BlockClient nodes, Method method, Object[] arguments) {
        try {
            return method.invoke(nodes, arguments);
        } catch (ReflectiveOperationException e) {
            throw new CompletionException(e);
        }
    }

    /** Completes when a call is held back. */
    CompletableFuture<Void> reached() {
        return reached;
    }

    void release() {
        released.complete(null);
    }
}
