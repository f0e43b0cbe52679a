// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths behave as those of Linux's own file system do, whose paths are asked the same. */
final class AlbmPathTest {
    private static final String[] TEXTS = {
        "",
        "/",
        "a",
        "/a",
        "a/b",
        "/a/b",
        "/a/b/c",
        "b",
        "b/c",
        "/b/c",
        "a//b/",
        "//a",
        ".",
        "..",
        "/..",
        "/../a",
        "a/..",
        "a/./b",
        "a/../b",
        "/a/../../b",
        "../a",
        "../../a",
        "../b/..",
        "/a/b/../c",
        "./a",
        "a/.",
        "ab",
        "/ab",
        "A",
        ".a",
        "é"
    };

    private final LocalFiles files = new LocalFiles();
    private FileSystem albm;
    private FileSystem other;

    @BeforeEach
    void open() throws IOException {
        albm = files.open(LocalFiles.FIRST);
        other = files.open(LocalFiles.SECOND);
    }

    @AfterEach
    void close() throws IOException {
        albm.close();
        other.close();
    }

    static Stream<String> texts() {
        return Stream.of(TEXTS);
    }

    private static String said(Callable<?> answer) {
        try {
            return Objects.toString(answer.call());
        } catch (Exception refusal) {
            return refusal.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aPathIsWhatItIsOnLinux(String text) {
        Path ours = albm.getPath(text);
        Path theirs = Path.of(text);
        assertThat(ours).hasToString(theirs.toString());
        assertThat(ours.isAbsolute()).isEqualTo(theirs.isAbsolute());
        assertThat(ours.getNameCount()).isEqualTo(theirs.getNameCount());
        assertThat(said(ours::getRoot)).isEqualTo(said(theirs::getRoot));
        assertThat(said(ours::getParent)).isEqualTo(said(theirs::getParent));
        assertThat(said(ours::getFileName)).isEqualTo(said(theirs::getFileName));
        assertThat(said(ours::normalize)).isEqualTo(said(theirs::normalize));
        assertThat(names(ours)).isEqualTo(names(theirs));
    }

    private static List<String> names(Path path) {
        List<String> names = new ArrayList<>();
        path.forEach(name -> names.add(name.toString()));
        return names;
    }

    @ParameterizedTest
    @MethodSource("texts")
    void partsOfAPathAreWhatTheyAreOnLinux(String text) {
        for (int from = -1; from < 5; from++) {
            int start = from;
            assertThat(said(() -> albm.getPath(text).getName(start)))
                    .isEqualTo(said(() -> Path.of(text).getName(start)));
            for (int to = -1; to < 5; to++) {
                int end = to;
                assertThat(said(() -> albm.getPath(text).subpath(start, end)))
                        .isEqualTo(said(() -> Path.of(text).subpath(start, end)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("texts")
    void twoPathsAreToEachOtherWhatTheyAreOnLinux(String text) {
        for (String second : TEXTS) {
            Path ours = albm.getPath(text);
            Path theirs = Path.of(text);
            Path oursToo = albm.getPath(second);
            Path theirsToo = Path.of(second);
            String both = "'" + text + "' and '" + second + "'";
            assertThat(ours.startsWith(oursToo)).as(both).isEqualTo(theirs.startsWith(theirsToo));
            assertThat(ours.endsWith(oursToo)).as(both).isEqualTo(theirs.endsWith(theirsToo));
            assertThat(ours.equals(oursToo)).as(both).isEqualTo(theirs.equals(theirsToo));
            assertThat(Integer.signum(ours.compareTo(oursToo)))
                    .as(both)
                    .isEqualTo(Integer.signum(theirs.compareTo(theirsToo)));
            assertThat(said(() -> ours.resolve(oursToo))).as(both).isEqualTo(said(() -> theirs.resolve(theirsToo)));
            assertThat(said(() -> ours.resolveSibling(oursToo)))
                    .as(both)
                    .isEqualTo(said(() -> theirs.resolveSibling(theirsToo)));
            assertThat(said(() -> ours.relativize(oursToo)))
                    .as(both)
                    .isEqualTo(said(() -> theirs.relativize(theirsToo)));
        }
    }

    @Test
    void equalPathsHaveEqualHashes() {
        assertThat(albm.getPath("/a", "b", "", "c/"))
                .isEqualTo(albm.getPath("/a//b/c"))
                .hasSameHashCodeAs(albm.getPath("/a/b/c"));
    }

    @Test
    void pathsOfTwoStoragesAreNotEqual() {
        Path here = albm.getPath("/a");
        Path there = other.getPath("/a");
        assertThat(here).isNotEqualTo(there);
        assertThat(here.compareTo(there)).isNotZero();
        assertThat(here.startsWith(there)).isFalse();
        assertThat(here.endsWith(there)).isFalse();
        assertThatThrownBy(() -> here.relativize(there)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRelativePathGoesOnFromTheRoot() {
        assertThat(albm.getPath("a/b").toAbsolutePath()).isEqualTo(albm.getPath("/a/b"));
        assertThat(albm.getPath("").toAbsolutePath()).isEqualTo(albm.getPath("/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a/b", "/with space", "/é", "/100%", "/a?b#c", "/a+b", "/[x]", "/\n"})
    void aUriLeadsBackToItsPath(String text) {
        Path path = albm.getPath(text);
        assertThat(files.provider.getPath(URI.create(path.toUri().toString()))).isEqualTo(path);
        assertThat(other.getPath(text).toUri().toString()).startsWith("albm://other@127.0.0.1:2181/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "half \ud800"})
    void aNameThatCannotBeIsRefused(String text) {
        assertThatExceptionOfType(InvalidPathException.class).isThrownBy(() -> albm.getPath(text));
    }

    @Test
    void aPathOfAnotherFileSystemIsRefused() {
        assertThatExceptionOfType(ProviderMismatchException.class)
                .isThrownBy(() -> albm.getPath("/a").resolve(Path.of("b")))
                .withMessageContaining("path of file, expected one of albm");
        assertThat(albm.getPath("/a").startsWith(Path.of("/a"))).isFalse();
    }

    @Test
    void patternsMatchTheTextOfAPath() {
        assertThat(albm.getPathMatcher("glob:*.{txt,é}").matches(albm.getPath("x.é")))
                .isTrue();
        assertThat(albm.getPathMatcher("glob:/a/**").matches(albm.getPath("/a/b/c")))
                .isTrue();
        assertThat(albm.getPathMatcher("glob:/a/*").matches(albm.getPath("/a/b/c")))
                .isFalse();
        assertThat(albm.getPathMatcher("regex:.*b").matches(albm.getPath("/a/b")))
                .isTrue();
        assertThatThrownBy(() -> albm.getPathMatcher("none")).isInstanceOf(IllegalArgumentException.class);
    }
}
