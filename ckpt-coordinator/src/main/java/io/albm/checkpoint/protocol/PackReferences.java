// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which packs complete checkpoints refer to, by their manifests. Manifests never change, so each is read once; what is
 * kept in memory is bounded by what is committed. Safe for use by many threads.
 */
final class PackReferences {
    /** Packs, by path. */
    interface Needed {
        boolean has(String pack);
    }

    private static final CompletableFuture<Needed> NONE = CompletableFuture.completedFuture(pack -> false);

    private final JobStore store;
    private final CheckpointFiles files;
    private final Map<Long, Set<String>> read = new ConcurrentHashMap<>();

    PackReferences(JobStore store, CheckpointFiles files) {
        this.store = store;
        this.files = files;
    }

    /** Reads what is not known yet. If a manifest is lost, nobody knows what it referred to, and every pack is needed. */
    CompletableFuture<Needed> neededBy(SortedSet<Long> committed) {
        read.keySet().retainAll(committed);
        CompletableFuture<Needed> all = NONE;
        for (long number : committed) {
            all = all.thenCombine(of(number), PackReferences::either);
        }
        return all;
    }

    private static Needed either(Needed one, Needed other) {
        return pack -> one.has(pack) || other.has(pack);
    }

    private CompletableFuture<Needed> of(long number) {
        Set<String> known = read.get(number);
        if (known != null) {
            return CompletableFuture.completedFuture(known::contains);
        }
        return store.manifest(number, files)
                .thenApply(manifest -> remember(number, manifest))
                .exceptionallyCompose(failure -> LostDataException.isCauseOf(failure)
                        ? CompletableFuture.completedFuture(store.paths()::isPack)
                        : CompletableFuture.failedFuture(failure));
    }

    private Needed remember(long number, Manifest manifest) {
        Set<String> paths = new HashSet<>();
        manifest.earlier().forEach(pack -> paths.add(store.paths().pack(pack.id())));
        read.put(number, paths);
        return paths::contains;
    }
}
