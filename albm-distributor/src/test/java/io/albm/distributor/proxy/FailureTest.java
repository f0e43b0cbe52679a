// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be done after a backend has failed, case by case. */
class FailureTest {
    @Test
    void asksAnotherBackendForWhatMayBeDoneTwice() {
        assertThat(new Failure(true, false, false, false, false).remedy()).isEqualTo(Failure.Remedy.ANOTHER_BACKEND);
    }

    @Test
    void asksTheSameBackendWhenAConnectionThatHadWaitedBreaks() {
        assertThat(new Failure(true, false, false, false, true).remedy()).isEqualTo(Failure.Remedy.SAME_BACKEND);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void neverSendsTwiceWhatMayNotBeDoneTwice(boolean connectionReused) {
        assertThat(new Failure(false, false, false, false, connectionReused).remedy())
                .isEqualTo(Failure.Remedy.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sendsNothingTwiceWhoseBodyHasGone(boolean connectionReused) {
        assertThat(new Failure(true, true, false, false, connectionReused).remedy())
                .isEqualTo(Failure.Remedy.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void resumesABegunResponseOnlyFromAnotherBackend(boolean connectionReused) {
        assertThat(new Failure(true, false, true, true, connectionReused).remedy())
                .isEqualTo(Failure.Remedy.ANOTHER_BACKEND);
        assertThat(new Failure(true, false, true, false, connectionReused).remedy())
                .isEqualTo(Failure.Remedy.NONE);
    }
}
