// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortOwnerTest {
    @Test
    void namesTheProcessThatListens() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PortOwner owner = PortOwner.of(server.getLocalPort()).orElseThrow();
            assertThat(owner.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(owner.command()).contains("java").hasSizeLessThanOrEqualTo(80);
        }
    }

    @Test
    void aFreePortHasNoOwner() throws Exception {
        int free;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = server.getLocalPort();
        }
        assertThat(PortOwner.of(free)).isEmpty();
    }
}
