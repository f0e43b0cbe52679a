// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.StripedFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every system call about names and attributes in every situation, by root, an owner and somebody else: errno, attributes and
 * times are to be those of a local file system. {@code -Dalbm.test.long=true} tries all cases.
 */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class NamesConformanceTest {
    private static final int SHOWN = 20;

    /** One in that many cases is tried, by chance. */
    private static final int SAMPLED = Boolean.getBoolean("albm.test.long") ? 1 : 8;

    @TempDir
    private Path local;

    @TempDir
    private Path mounted;

    private final Random random = new Random(1);
    private final List<String> differences = new ArrayList<>();
    private FuseSession session;
    private Twins twins;
    private Fixture right;
    private Fixture tested;

    @BeforeEach
    void mount() throws IOException {
        session = FuseSession.mount(new LocalStorage(1000).mount(), mounted, StripedFileSystem.OPTIONS);
        Files.setAttribute(local, "unix:mode", 0755);
        twins = new Twins(Files.createDirectory(local.resolve("t")), Files.createDirectory(mounted.resolve("t")));
        right = Fixture.in(twins.local());
        tested = Fixture.in(twins.mounted());
        twins.awaitTick();
    }

    @AfterEach
    void unmount() throws IOException {
        try {
            assertThat(differences).isEmpty();
            assertThat(twins.differenceOfTrees()).isNull();
        } finally {
            session.close();
        }
    }

    private boolean isSampled() {
        return random.nextInt(SAMPLED) == 0;
    }

    private void repair(String... touched) throws IOException {
        right.repair(touched);
        tested.repair(touched);
        twins.awaitTick();
    }

    static Stream<Actor> actors() {
        return Stream.of(Actor.ROOT, Fixture.OWNER, Fixture.OTHER);
    }

    @ParameterizedTest
    @MethodSource("actors")
    void callsAboutOneName(Actor actor) throws IOException {
        tryAll(actor, NameCalls.ofOne(Fixture.OTHER), name -> true);
    }

    @ParameterizedTest
    @MethodSource("actors")
    void opens(Actor actor) throws IOException {
        tryAll(actor, NameCalls.opens(), name -> !name.equals("home/char") && !name.equals("home/block"));
    }

    private void tryAll(Actor actor, Map<String, NameCalls.OfOne> calls, Predicate<String> wanted) throws IOException {
        for (Map.Entry<String, NameCalls.OfOne> call : calls.entrySet()) {
            for (String name : Fixture.NAMES) {
                if (isSampled() && wanted.test(name) && !isLeftOpen(call.getKey(), name)) {
                    compare(
                            call.getKey() + " " + name + " by " + actor,
                            root -> call.getValue().make(actor, root + "/" + name),
                            name);
                }
            }
        }
    }

    /** POSIX does not say what becomes of set-id bits; the kernel does not say that it is about them. */
    private static boolean isLeftOpen(String call, String name) {
        return call.endsWith("chown -1:-1") && (name.equals("home/set-ids") || name.equals("group/file"));
    }

    @ParameterizedTest
    @MethodSource("actors")
    void callsAboutTwoNames(Actor actor) throws IOException {
        for (Map.Entry<String, NameCalls.OfTwo> call : NameCalls.ofTwo().entrySet()) {
            for (String from : Fixture.NAMES) {
                for (String to : Fixture.NAMES) {
                    if (isSampled()) {
                        compare(
                                call.getKey() + " " + from + " " + to + " by " + actor,
                                root -> call.getValue().make(actor, root + "/" + from, root + "/" + to),
                                from,
                                to);
                    }
                }
            }
        }
    }

    private void compare(String what, Twins.Work work, String... names) throws IOException {
        boolean[] succeeded = new boolean[1];
        String difference = twins.difference(
                root -> {
                    long result = work.in(root);
                    succeeded[0] |= result >= 0;
                    return result;
                },
                names);
        if (difference != null && differences.size() < SHOWN) {
            differences.add(what + ": " + difference);
        }
        if (difference != null || succeeded[0]) {
            repair(names);
        }
    }

    /** In a directory with the sticky bit only owners, of the file or of the directory, may take names away. */
    @Test
    void namesInStickyDirectories() throws IOException {
        List<Actor> all = actors().toList();
        for (int mode : new int[] {0777, 01777, 03777}) {
            for (Actor above : all) {
                for (Actor owner : all) {
                    for (int type : new int[] {0100644, 0040755, 0010644}) {
                        if (isSampled()) {
                            inDirectory(mode, above, owner, type);
                        }
                    }
                }
            }
        }
    }

    private void inDirectory(int mode, Actor above, Actor owner, int type) throws IOException {
        boolean isDirectory = FileMode.isDirectory(type);
        for (Actor actor : List.of(Fixture.OWNER, Fixture.OTHER)) {
            for (String call : List.of("remove", "rename", "rename over", "link")) {
                twins.prepare(root -> {
                    String directory = root + "/home/full/below";
                    String file = directory + "/f";
                    long made = isDirectory ? Libc.call("mkdir", file, type) : Libc.call("mknod", file, type, 0L);
                    Libc.call("chown", file, owner.uid(), owner.gid());
                    Libc.call("chown", directory, above.uid(), above.gid());
                    Libc.call("chmod", directory, mode);
                    return made;
                });
                twins.awaitTick();
                compare(
                        "%s of %o of %s in %o of %s by %s".formatted(call, type, owner, mode, above, actor),
                        root -> make(call, actor, root.toString(), isDirectory),
                        "home/full/below/f",
                        "home/full/below/h",
                        "sticky/new");
                repair("home/full/below/f", "home/full/below/h", "sticky/new");
            }
        }
    }

    private static long make(String call, Actor actor, String root, boolean isDirectory) {
        String file = root + "/home/full/below/f";
        String other = root + "/home/full/below/h";
        String source = root + "/sticky/new";
        return switch (call) {
            case "remove" -> actor.call(isDirectory ? "rmdir" : "unlink", file);
            case "rename" -> actor.call("rename", file, other);
            case "rename over" -> {
                long made = isDirectory ? actor.call("mkdir", source, 0755) : actor.call("mknod", source, 0100644, 0L);
                yield made < 0 ? made : actor.call("rename", source, file);
            }
            default -> actor.call("link", file, other);
        };
    }
}
