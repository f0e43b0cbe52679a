// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.savings.PackSource;
import io.albm.checkpoint.savings.PageCheck;
import io.albm.checkpoint.savings.PageTarget;
import io.albm.checkpoint.savings.StateIndex;
import io.albm.checkpoint.savings.StateRestore;
import io.albm.core.json.Json;
import io.albm.core.sim.SimDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Ranks' states in a simulated world: what they truly are, and what the storage makes of them. */
final class SimStates {
    private static final int PAGE = 4096;

    /** Of a step number: a slowly changing page is another one after so many. */
    private static final int SLOW = 64;

    private final SimDirectory directory;
    private final SimStorage files;
    private final JobPaths paths;

    /** Of indexes that were read before: the same array is the same index. */
    private final IdentityHashMap<byte[], List<PackId>> packsOf = new IdentityHashMap<>();

    SimStates(SimDirectory directory, SimStorage files, JobPaths paths) {
        this.directory = directory;
        this.files = files;
        this.paths = paths;
    }

    /**
     * What rank {@code rank} has computed after {@code step} steps: pages that are zero, that all ranks have, that never
     * change, change now and then, and at every step.
     */
    byte[] truth(int rank, long step) {
        byte[] state = new byte[files.stateBytes().get(rank) + (int) (step * 7 + rank) % 50];
        for (int page = 0; page * PAGE < state.length; page++) {
            byte[] bytes = new byte[Math.min(PAGE, state.length - page * PAGE)];
            long seed = page * 31L;
            switch (page % 8) {
                case 1 -> {}
                case 2, 3 -> new SplittableRandom(seed).nextBytes(bytes);
                case 4 -> new SplittableRandom(seed + rank * 7919L).nextBytes(bytes);
                case 5, 6 -> new SplittableRandom(seed + rank * 7919L + step / SLOW * 104729L).nextBytes(bytes);
                default -> new SplittableRandom(seed + rank * 7919L + step * 104729L).nextBytes(bytes);
            }
            System.arraycopy(bytes, 0, state, page * PAGE, bytes.length);
        }
        return state;
    }

    /** The manifest of a committed checkpoint, if it can be read. */
    Optional<Manifest> manifest(long number) {
        return entry(number)
                .flatMap(entry -> files.content(entry.manifest()))
                .map(content -> Json.read(content, Manifest.class));
    }

    /** Whether a checkpoint was committed with this manifest. */
    boolean isCommitted(String manifest) {
        return entry(paths.numberOf(manifest))
                .filter(entry -> entry.manifest().equals(manifest))
                .isPresent();
    }

    private Optional<Committed> entry(long number) {
        return directory.peek(paths.committed(number)).map(node -> Json.read(node.data(), Committed.class));
    }

    /** Indexes and packs that a committed checkpoint needs. */
    Set<String> filesOf(long number) {
        return manifest(number).stream().flatMap(this::filesOf).collect(Collectors.toSet());
    }

    private Stream<String> filesOf(Manifest manifest) {
        return Stream.concat(
                manifest.units().stream().map(StoredUnit::path),
                manifest.packs().stream().map(pack -> paths.pack(pack.id())));
    }

    /** Whether a file that the checkpoint needs was damaged beyond repair, with the plan's permission. */
    boolean isRotten(long number) {
        return manifest(number).filter(this::isRotten).isPresent();
    }

    boolean isRotten(Manifest manifest) {
        return filesOf(manifest).anyMatch(files::isRotten);
    }

    /** Files that a state is made of, the index first; the same arrays until they change. */
    List<Optional<byte[]>> parts(StoredUnit unit) {
        Optional<byte[]> index = files.content(unit.path());
        Stream<Optional<byte[]>> packs = index.stream()
                .flatMap(bytes -> packsOf
                        .computeIfAbsent(bytes, _ -> StateIndex.of(unit, bytes).packs())
                        .stream())
                .map(pack -> files.content(paths.pack(pack)));
        return Stream.concat(Stream.of(index), packs).toList();
    }

    /** The state that a patient reader gets. */
    byte[] state(StoredUnit unit) {
        StateIndex index = StateIndex.of(unit, files.content(unit.path()).orElseThrow());
        byte[] state = new byte[(int) index.size()];
        restore(
                new StateRestore(index, PageTarget.of(state), PageCheck.byHash()),
                pack -> files.content(paths.pack(pack)).orElseThrow());
        return state;
    }

    /** Takes all that is missing from these packs. */
    static void restore(StateRestore restore, Function<PackId, byte[]> packs) {
        try {
            for (PackId pack : restore.needed()) {
                restore.takeFrom(pack, PackSource.of(packs.apply(pack)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("there is no disk that could fail", e);
        }
    }
}
