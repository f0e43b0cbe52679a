// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CountersTest {
    private static final String DEVICES = """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
            lo:     100       2    0    0    0     0          0         0      100       2    0    0    0     0       0          0
            s1:    7000      10    0    0    0     0          0         0   880000     600    0    3    0     0       0          0
           s11:      11       1    0    0    0     0          0         0       12       1    0    0    0     0       0          0
        """;

    @Test
    void readsAnInterfaceByItsWholeName() {
        assertThat(NetDevice.parse(DEVICES, "s1")).isEqualTo(new NetDevice(7000, 880000));
        assertThat(NetDevice.parse(DEVICES, "s11")).isEqualTo(new NetDevice(11, 12));
        assertThatThrownBy(() -> NetDevice.parse(DEVICES, "s2")).hasMessageContaining("s2");
    }
}
