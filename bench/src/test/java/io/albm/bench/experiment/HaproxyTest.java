// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HaproxyTest {
    @Test
    void limitsEachKindOfRequestByWhatItHolds() throws IOException {
        String text = Haproxy.configuration(
                List.of(NodeAddress.parse("127.0.0.1:7001")), List.of(new Haproxy.MaxConn(36, 9)));
        assertThat(text)
                .contains("use_backend five_36_9 if { path /hold5 }", "use_backend fifteen_36_9 if { path /hold15 }")
                .contains("server s1 127.0.0.1:7001 maxconn 36", "server s1 127.0.0.1:7001 maxconn 9")
                .contains("balance roundrobin", "balance leastconn", "option httpchk");
    }

    @Test
    void requestsAreDrawnInThePapersShares() {
        SplittableRandom random = new SplittableRandom(1);
        Map<RequestKind, Integer> drawn = new EnumMap<>(RequestKind.class);
        for (int i = 0; i < 10_000; i++) {
            drawn.merge(RequestKind.draw(random), 1, Integer::sum);
        }
        assertThat(drawn.get(RequestKind.BYTE)).isBetween(4_800, 5_200);
        assertThat(drawn.get(RequestKind.FIVE_MEGABYTES)).isBetween(3_800, 4_200);
        assertThat(drawn.get(RequestKind.FIFTEEN_MEGABYTES)).isBetween(880, 1_120);
    }
}
