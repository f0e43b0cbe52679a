// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobPathsTest {
    @Test
    void tellsManifestsByTheirNamesWhateverTheJobIsCalled() {
        JobPaths paths = new JobPaths("manifest-1.pack");
        assertThat(paths.isManifest(paths.manifest(7, 3))).isTrue();
        assertThat(paths.isManifest(paths.index(7, 0))).isFalse();
        assertThat(paths.isManifest(paths.pack(new PackId(7, 0)))).isFalse();
        assertThat(paths.isPack(paths.manifest(7, 3))).isFalse();
    }

    @Test
    void knowsTheCheckpointOfAFileByItsPath() {
        JobPaths paths = new JobPaths("heat");
        assertThat(paths.numberOf(paths.index(7, 0))).isEqualTo(7);
        assertThat(paths.numberOf(paths.manifest(999_999_999_999_999_999L, 3))).isEqualTo(999_999_999_999_999_999L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/checkpoints/heat/7",
                "/checkpoints/heat//rank-0.index",
                "/checkpoints/heat/seven/rank-0.index",
                "/checkpoints/heat/-7/rank-0.index",
                "/checkpoints/heat/٧/rank-0.index",
                "/checkpoints/heat/1234567890123456789/rank-0.index",
                "/checkpoints/heat-2/7/rank-0.index",
                "/checkpoints/hea/7/rank-0.index",
                "/checkpoints/",
                "/elsewhere/heat/7/rank-0.index"
            })
    void takesNoOtherFileForOneOfTheJobs(String file) {
        assertThat(new JobPaths("heat").numberOf(file)).isZero();
    }
}
