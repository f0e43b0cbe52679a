// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoragePathTest {
    @Test
    void takesAPathWithoutItsLeadingSlash() {
        assertThat(StoragePath.of("jobs/7")).isEqualTo(new StoragePath("/jobs/7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "/a/b", "/%2F/%25", "/%252F", "/ä b/☃"})
    void comesBackFromItsEscapedForm(String path) {
        String escaped = new StoragePath(path).escaped();
        assertThat(escaped).doesNotContain("/");
        assertThat(StoragePath.unescape(escaped).value()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//a", "/a/", "/a/../b", "/./a", "/a\nb", "/a//b"})
    void refusesWhatIsNoName(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoragePath.of(path))
                .withMessageContaining("expected");
    }
}
