// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.proc.ProcText;
import org.junit.jupiter.api.Test;

class HostSegmentsTest {
    @Test
    void findsTheColumnsByTheirNames() {
        ProcText snmp = ProcText.of("""
                Ip: Forwarding DefaultTTL
                Ip: 1 64
                Tcp: RtoAlgorithm CurrEstab InSegs OutSegs RetransSegs InErrs
                Tcp: 1 23 456 7890 12 0
                """);
        assertThat(HostSegments.parse(snmp)).isEqualTo(new TcpSegments(7890, 12));
    }

    @Test
    void aKernelThatDoesNotCountThemSaysNone() {
        assertThat(HostSegments.parse(ProcText.of("Ip: Forwarding\nIp: 1\n"))).isEqualTo(TcpSegments.NONE);
    }

    @Test
    void readsThisHostsOwnAndStopsWhenClosed() {
        HostSegments host = HostSegments.open();
        assertThat(host.now().sent()).isPositive();
        host.close();
        assertThat(host.now()).isEqualTo(TcpSegments.NONE);
    }
}
