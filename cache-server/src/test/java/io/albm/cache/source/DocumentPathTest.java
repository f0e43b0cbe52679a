// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentPathTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /                                | /index.html
                    /a/                              | /a/index.html
                    /a/b.html                        | /a/b.html
                    /a.html?x=/../y                  | /a.html
                    /a%20b                           | /a b
                    /%E2%82%AC.txt                   | /€.txt
                    /%252e%252e/etc/passwd           | /%2e%2e/etc/passwd
                    /..a/b..                         | /..a/b..
                    /.../x                           | /.../x
                    http://host.example:80/a         | /a
                    HTTP://host.example              | /index.html
                    """)
    void readsTheDocumentThatATargetNames(String target, String expected) throws Exception {
        assertThat(DocumentPath.ofTarget(target).value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "a.html",
                "file:///etc/passwd",
                "/..",
                "/../etc/passwd",
                "/a/../../etc/passwd",
                "/a/..",
                "/.",
                "/./a",
                "/%2e%2e/etc/passwd",
                "/%2E%2e/etc/passwd",
                "/.%2e/etc/passwd",
                "/a/%2e%2e%2f%2e%2e/etc/passwd",
                "/..%2fetc/passwd",
                "/a%2fb",
                "/a%2Fb",
                "/a%5c..%5cb",
                "/a\\..\\b",
                "//etc/passwd",
                "/a//b",
                "/a%00.html",
                "/a%0a",
                "/a%7f",
                "/a#b",
                "/a b",
                "/é",
                "/%c0%ae%c0%ae/etc/passwd",
                "/%ff",
                "/%e2%82",
                "/%",
                "/%2",
                "/%zz",
                "/%-1",
                "/%+5"
            })
    void refusesHostileTargets(String target) {
        assertThatThrownBy(() -> DocumentPath.ofTarget(target)).isInstanceOf(MalformedPathException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "/a, /a/",
        "/a?x=1, /a/?x=1",
        "http://host/a/b?x, /a/b/?x",
        "/a/,",
        "/a/?x,",
        "http://host,",
        "http://host/?x,",
    })
    void sendsToTheDirectoryWhatNamesItWithoutItsSlash(String target, @Nullable String expected) {
        assertThat(DocumentPath.directoryOf(target)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void readsTheNamesThatItGives() throws Exception {
        var plain = new DocumentPath("/a/b.css");
        assertThat(DocumentPath.ofName(plain.toString())).isEqualTo(plain);
        for (Coding coding : Coding.values()) {
            assertThat(DocumentPath.ofName(plain.in(coding).toString())).isEqualTo(plain.in(coding));
        }
        assertThatThrownBy(() -> DocumentPath.ofName("/a.css in latin"))
                .isInstanceOf(MalformedPathException.class)
                .hasMessageContaining("latin");
    }

    @Test
    void neverYieldsADotSegmentForRandomHostileTargets() {
        String[] pieces = {"/", "..", ".", "%2e", "%2f", "%5c", "\\", "%00", "a", "%", "%25", "?", "%c0%ae", ";", "//"};
        Random random = new Random(42);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder target = new StringBuilder("/");
            for (int n = random.nextInt(8); n > 0; n--) {
                target.append(pieces[random.nextInt(pieces.length)]);
            }
            assertSafe(target.toString());
        }
    }

    private static void assertSafe(String target) {
        try {
            String value = DocumentPath.ofTarget(target).value();
            assertThat(value.substring(1).split("/", -1))
                    .as(target)
                    .doesNotContain("", ".", "..")
                    .noneMatch(segment -> segment.indexOf('\0') >= 0 || segment.indexOf('\\') >= 0);
        } catch (MalformedPathException e) {
            assertThat(e).hasMessageStartingWith("the ");
        }
    }
}
