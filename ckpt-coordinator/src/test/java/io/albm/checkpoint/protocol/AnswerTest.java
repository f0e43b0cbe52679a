// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.json.Json;
import org.junit.jupiter.api.Test;

class AnswerTest {
    @Test
    void aSupervisorOfBeforeSaysNothingOfSegmentsAndProgress() {
        assertThat(Json.read("{\"type\":\"status\",\"checkpoint\":3,\"ready\":true}", Answer.class))
                .isEqualTo(new Answer.Status(3, true, Answer.Progress.NONE, null, TcpSegments.NONE, 0));
    }
}
