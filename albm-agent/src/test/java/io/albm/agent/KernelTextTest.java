// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.proc.ProcText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts as kernels really print them. */
final class KernelTextTest {
    private static final ProcText NET_DEV = ProcText.of("""
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls
                lo:    3193      29    0    0    0     0          0         0     3193      29    0    0    0     0
            wlp0s20f3:100 1 0 0 0 0 0 0 10 1 0 0 0 0
              eth0: 156710627    5653    0    0    0     0          0         0   922324    4950    0    0    0     0
            """);

    @Test
    void loopbackDoesNotCountUnlessNamed() {
        assertThat(NetworkBytes.bytes(NET_DEV, InterfaceFilter.allButLoopback()))
                .isEqualTo(156710627 + 922324 + 110);
        assertThat(NetworkBytes.bytes(NET_DEV, InterfaceFilter.of(List.of("lo"))))
                .isEqualTo(2 * 3193);
    }

    @Test
    void onlyWholeInterfaceNamesMatch() {
        assertThat(NetworkBytes.bytes(NET_DEV, InterfaceFilter.of(List.of("eth"))))
                .isZero();
        assertThat(NetworkBytes.bytes(NET_DEV, InterfaceFilter.of(List.of("eth0", "wlp0s20f3"))))
                .isEqualTo(156710627 + 922324 + 110);
    }

    @Test
    void aNameThatTouchesItsFirstNumberIsRead() {
        assertThat(NetworkBytes.bytes(NET_DEV, InterfaceFilter.of(List.of("wlp0s20f3"))))
                .isEqualTo(110);
    }

    @Test
    void aHostWithoutInterfacesSendsNothing() {
        assertThat(NetworkBytes.bytes(ProcText.of("Inter-|\n face |\n"), InterfaceFilter.allButLoopback()))
                .isZero();
    }

    @Test
    void establishedIsFoundByItsColumnName() {
        ProcText text = ProcText.of("""
                Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs
                Tcp: 1 200 120000 -1 34 2 0 0 15000 5642
                """);
        assertThat(EstablishedConnections.established(text)).isEqualTo(15000);
    }

    @Test
    void withoutTheColumnThereIsNoValue() {
        assertThat(EstablishedConnections.established(ProcText.of("Tcp: RtoMin\nTcp: 200\n")))
                .isEqualTo(ProcText.ABSENT);
        assertThat(EstablishedConnections.established(ProcText.of("Tcp: CurrEstab\n")))
                .isEqualTo(ProcText.ABSENT);
    }

    @Test
    void countsProcessorsInRangesAndGaps() {
        assertThat(Processors.count("0\n")).isEqualTo(1);
        assertThat(Processors.count("0-3,6,8-9\n")).isEqualTo(7);
    }
}
