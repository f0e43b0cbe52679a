// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobPathsTest {
    @Test
    void tellsManifestsByTheirNamesWhateverTheJobIsCalled() {
        JobPaths paths = new JobPaths("manifest-1.pack");
        assertThat(paths.isManifest(paths.manifest(7, 3))).isTrue();
        assertThat(paths.isManifest(paths.index(7, 0))).isFalse();
        assertThat(paths.isManifest(paths.pack(new PackId(7, 0)))).isFalse();
        assertThat(paths.isPack(paths.manifest(7, 3))).isFalse();
    }
}
