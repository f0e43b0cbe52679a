// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.StripedFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random system calls about names, one after the other in the same tree, by root and two users: after each the mount is to be
 * as a local file system is. {@code -Dalbm.test.long=true} makes the walks long.
 */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class NameWalkTest {
    private static final int STEPS = Boolean.getBoolean("albm.test.long") ? 100_000 : 1000;
    private static final int STEPS_PER_LOOK = 50;
    private static final int DEEPEST = 3;
    private static final List<Actor> ACTORS = List.of(Actor.ROOT, Fixture.OWNER, Fixture.OTHER);

    /** Without those whose outcome is left open. */
    private static final List<Map.Entry<String, NameCalls.OfOne>> ONE =
            NameCalls.ofOne(Fixture.OTHER).entrySet().stream()
                    .filter(call -> !call.getKey().endsWith("chown -1:-1"))
                    .toList();

    private static final List<Map.Entry<String, NameCalls.OfOne>> MAKING = ONE.stream()
            .filter(call -> call.getKey().startsWith("mk") || call.getKey().startsWith("symlink"))
            .toList();

    private static final List<Map.Entry<String, NameCalls.OfTwo>> TWO =
            List.copyOf(NameCalls.ofTwo().entrySet());

    @TempDir
    private Path local;

    @TempDir
    private Path mounted;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theMountIsAsALocalFileSystemIs(long seed) throws IOException {
        try (FuseSession session =
                FuseSession.mount(new LocalStorage(10_000).mount(), mounted, StripedFileSystem.OPTIONS)) {
            Files.setAttribute(local, "unix:mode", 0755);
            Twins twins =
                    new Twins(Files.createDirectory(local.resolve("t")), Files.createDirectory(mounted.resolve("t")));
            twins.prepare(root -> Libc.call("chmod", root.toString(), 01777));
            Random random = new Random(seed);
            for (int step = 1; step <= STEPS; step++) {
                twins.awaitTick();
                step(twins, random, "step " + step + " of seed " + seed);
                if (step % STEPS_PER_LOOK == 0) {
                    assertThat(twins.differenceOfTrees())
                            .as("step %d of seed %d", step, seed)
                            .isNull();
                }
            }
            assertThat(session.hasEnded()).isFalse();
        }
    }

    private static void step(Twins twins, Random random, String when) throws IOException {
        Actor actor = any(ACTORS, random);
        String from = path(random);
        String to = path(random);
        if (random.nextInt(3) == 0) {
            Map.Entry<String, NameCalls.OfTwo> call = any(TWO, random);
            assertThat(twins.difference(
                            root -> call.getValue().make(actor, root + "/" + from, root + "/" + to), from, to))
                    .as("%s: %s %s %s by %s", when, call.getKey(), from, to, actor)
                    .isNull();
        } else {
            Map.Entry<String, NameCalls.OfOne> call = any(random.nextBoolean() ? MAKING : ONE, random);
            assertThat(twins.difference(root -> call.getValue().make(actor, root + "/" + from), from))
                    .as("%s: %s %s by %s", when, call.getKey(), from, actor)
                    .isNull();
        }
    }

    private static <T> T any(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** Few names, so that calls meet. */
    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(DEEPEST); depth >= 0; depth--) {
            path.append((char) ('a' + random.nextInt(4))).append(depth == 0 ? "" : "/");
        }
        return path.toString();
    }
}
