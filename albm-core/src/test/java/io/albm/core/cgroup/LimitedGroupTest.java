// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where the kernel lets us; elsewhere what it says is all there is to test. */
class LimitedGroupTest {
    private static final long LIMIT = 64 << 20;

    @Test
    void isThereWithItsLimitUntilItIsClosed() throws IOException {
        Path members;
        try (LimitedGroup group = create()) {
            members = group.members();
            assertThat(members).exists();
            assertThat(group.memory().limitBytes()).isEqualTo(LIMIT);
            assertThat(group.killedForMemory()).isZero();
        }
        assertThat(members).doesNotExist();
    }

    private static LimitedGroup create() throws IOException {
        try {
            return LimitedGroup.create("test", LIMIT);
        } catch (NotPermittedException e) {
            return abort(String.valueOf(e.getMessage()));
        }
    }
}
