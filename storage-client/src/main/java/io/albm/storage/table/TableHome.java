// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Which ensemble has the file table. The cluster's says so, and each that has the table or has had it.
 *
 * @param table names the table, wherever it lies
 * @param zookeeper servers of the ensemble, {@code host:port,host:port…}; empty for the one that says so
 * @param begun whether that ensemble has the table for sure; it may not yet, if this is what the cluster's says
 */
record TableHome(String table, String zookeeper, boolean begun) {
    /** What the ensemble that has the table says. */
    static TableHome here(String table) {
        return new TableHome(table, "", true);
    }

    static TableHome of(Versioned node) {
        return Json.read(node.data(), TableHome.class);
    }

    /** What a store says; empty if no storage node has begun a table there since nodes say so. */
    static CompletableFuture<Optional<TableHome>> read(CoordinationStore store) {
        return store.read(TablePaths.HOME).thenApply(found -> found.map(TableHome::of));
    }

    Operation create() {
        return new Operation.Create(TablePaths.HOME, Json.bytes(this), false);
    }

    /** @param version of what stands there now */
    Operation set(int version) {
        return new Operation.Set(TablePaths.HOME, Json.bytes(this), version);
    }

    /** Whether the one who says so has the table not. */
    boolean elsewhere() {
        return !zookeeper.isEmpty();
    }

    /** Whether it is in the ensemble of these servers; empty for the one that says so. */
    boolean isAt(String servers) {
        return zookeeper.equals(servers) || shareServer(zookeeper, servers);
    }

    /** Whether two lists mean one ensemble: a server is in one only, and lists change by some of them at a time. */
    static boolean shareServer(String servers, String others) {
        return !servers.isEmpty() && !Collections.disjoint(list(servers), list(others));
    }

    private static List<String> list(String servers) {
        return Arrays.asList(servers.split(","));
    }
}
