// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Which of a job's files are nobody's: those of numbers that are neither committed nor in flight and were given out before, but
 * for packs that a committed checkpoint refers to; and manifests of committed numbers that are not those that were committed.
 *
 * <p>A pack that has become nobody's stays so: only a new checkpoint could refer to it, only because its base does, and that is
 * committed when the new one begins and until it ends. So they can be removed without a lock against checkpoints, even by a leader
 * that was paused and deposed meanwhile. Safe for use by many threads.
 */
final class Orphans {
    private final JobStore store;
    private final PackReferences packs;

    Orphans(JobStore store, CheckpointFiles files) {
        this.store = store;
        this.packs = new PackReferences(store, files);
    }

    /**
     * Of the files that were listed. O(files): a job of ten thousand ranks has tens of thousands of them, so the name of each is
     * taken apart once.
     */
    CompletableFuture<List<String>> among(Collection<String> listed, DurableState state) {
        List<String> retired = new ArrayList<>();
        List<String> retiredPacks = new ArrayList<>();
        Map<Long, List<String>> manifests = new TreeMap<>();
        for (String file : listed) {
            long number = store.paths().numberOf(file);
            if (number <= 0
                    || number >= state.next()
                    || state.inflightVersions().containsKey(number)) {
                continue;
            }
            if (!state.committed().contains(number)) {
                (mayBeNeeded(file, number, state) ? retiredPacks : retired).add(file);
            } else if (store.paths().isManifest(file)) {
                manifests.computeIfAbsent(number, _ -> new ArrayList<>()).add(file);
            }
        }
        return unneeded(retiredPacks, state)
                .thenCombine(superseded(manifests), Orphans::together)
                .thenApply(more -> together(retired, more));
    }

    /** No checkpoint refers to what came after it, so that what was given up last goes though no manifest can be read. */
    private boolean mayBeNeeded(String file, long number, DurableState state) {
        return number < state.latest() && store.paths().isPack(file);
    }

    private CompletableFuture<List<String>> unneeded(List<String> retired, DurableState state) {
        if (retired.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return packs.neededBy(state.committed())
                .thenApply(needed ->
                        retired.stream().filter(pack -> !needed.has(pack)).toList());
    }

    /** Manifests that leaders left who were lost before they could commit them, and another one committed its own. */
    private CompletableFuture<List<String>> superseded(Map<Long, List<String>> manifests) {
        CompletableFuture<List<String>> all = CompletableFuture.completedFuture(List.of());
        for (Map.Entry<Long, List<String>> written : manifests.entrySet()) {
            if (written.getValue().size() > 1) {
                all = all.thenCombine(
                        store.committed(written.getKey())
                                .thenApply(entry -> entry.map(known -> written.getValue().stream()
                                                .filter(file -> !file.equals(known.manifest()))
                                                .toList())
                                        .orElse(List.of())),
                        Orphans::together);
            }
        }
        return all;
    }

    private static List<String> together(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
