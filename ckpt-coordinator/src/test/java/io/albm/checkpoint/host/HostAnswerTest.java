// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import org.junit.jupiter.api.Test;

class HostAnswerTest {
    @Test
    void aHostOfBeforeSaysNothingOfItsProgress() {
        String report =
                "{\"type\":\"report\",\"instance\":\"i\",\"said\":1,\"directory\":\"/d\",\"cleared\":true,\"leftOvers\":0,"
                        + "\"started\":2,\"running\":true,\"pids\":{\"0\":7},\"exits\":[],\"failure\":null,\"results\":{},"
                        + "\"firstLine\":4,\"output\":[],\"segments\":{\"sent\":5,\"retransmitted\":6}%s}";
        assertThat(Json.read(report.formatted(""), HostAnswer.class))
                .isEqualTo(Json.read(report.formatted(",\"drainProgress\":0"), HostAnswer.class))
                .isNotEqualTo(Json.read(report.formatted(",\"drainProgress\":8"), HostAnswer.class));
    }
}
