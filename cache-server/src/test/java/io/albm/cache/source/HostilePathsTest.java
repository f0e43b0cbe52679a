// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand targets made of what has let others out of their directories, against real links. */
class HostilePathsTest {
    private static final int CASES = 100_000;
    private static final String INSIDE = "inside";

    private static final List<String> PARTS = List.of(
            "/",
            "/",
            "/",
            "/",
            "//",
            "\\",
            "..",
            "..",
            ".",
            "...",
            "%2e",
            "%2E%2e",
            ".%2e",
            "%252e%252e",
            "%2f",
            "%2F",
            "%5c",
            "%00",
            "%0a",
            "%c0%ae",
            "%c0%af",
            "%e0%80%ae",
            "%f0%80%80%af",
            "%uff0e",
            "..;",
            ";",
            "?",
            "#",
            "%",
            "%2",
            "a",
            "a.txt",
            "dir",
            "dir/b.txt",
            "secret",
            "secret.txt",
            "up",
            "out.txt",
            "in.txt",
            "loop",
            "abs",
            "http://h",
            "file://",
            "~",
            "$HOME",
            "CON",
            "a.txt::$DATA",
            "\u00e9",
            "%ff",
            "root",
            "etc",
            "passwd");

    @TempDir
    private Path temp;

    @Test
    void opensNothingOutsideTheDirectory() throws IOException {
        DirectorySource source = new DirectorySource(tree());
        var random = new SplittableRandom(11);
        int opened = 0;
        for (int i = 0; i < CASES; i++) {
            opened += opens(source, target(random)) ? 1 : 0;
        }
        assertThat(opened).as("targets that name a document at all").isGreaterThan(CASES / 1000);
    }

    private Path tree() throws IOException {
        Path root = Files.createDirectories(temp.resolve("root"));
        for (String name : List.of("a", "a.txt", "index.html", "dir/b.txt", "dir/index.html", "dir/%2e%2e", "...")) {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, INSIDE);
        }
        Files.writeString(temp.resolve("secret.txt"), "outside");
        Files.writeString(Files.createDirectories(temp.resolve("secret")).resolve("a.txt"), "outside");
        Files.createSymbolicLink(root.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(root.resolve("out.txt"), Path.of("../secret.txt"));
        Files.createSymbolicLink(root.resolve("abs"), temp.resolve("secret"));
        Files.createSymbolicLink(root.resolve("in.txt"), Path.of("dir/b.txt"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
        return root;
    }

    private static String target(SplittableRandom random) {
        var target = new StringBuilder(random.nextInt(8) == 0 ? "" : "/");
        for (int parts = 1 + random.nextInt(6); parts > 0; parts--) {
            target.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return target.toString();
    }

    private static boolean opens(DirectorySource source, String target) {
        try (OpenDocument open = source.open(DocumentPath.ofTarget(target))) {
            ByteBuf content = Unpooled.buffer();
            open.read(content, 0, Math.toIntExact(open.version().bytes()));
            if (!content.toString(StandardCharsets.UTF_8).equals(INSIDE)) {
                assertThat(content.toString(StandardCharsets.UTF_8)).as(target).isEqualTo(INSIDE);
            }
            return true;
        } catch (MalformedPathException | IOException e) {
            return false;
        }
    }
}
