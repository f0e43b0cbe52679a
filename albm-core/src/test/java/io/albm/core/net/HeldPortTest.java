// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class HeldPortTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    @Test
    void aServerListensOnIt() throws Exception {
        try (HeldPort held = HeldPort.at(ANY_PORT);
                ServerSocket server = server(held.address(), true);
                Socket client = new Socket(held.address().host(), held.address().port())) {
            assertThat(client.getPort()).isEqualTo(server.getLocalPort());
        }
    }

    @Test
    void whoWouldNotShareItIsRefused() throws Exception {
        try (HeldPort held = HeldPort.at(ANY_PORT)) {
            assertThatExceptionOfType(BindException.class).isThrownBy(() -> server(held.address(), false));
        }
    }

    @Test
    void nobodyIsConnectedBefore() throws Exception {
        try (HeldPort held = HeldPort.at(ANY_PORT)) {
            assertThatExceptionOfType(ConnectException.class)
                    .isThrownBy(() ->
                            new Socket(held.address().host(), held.address().port()));
        }
    }

    @Test
    void onePortIsNotTakenFromItsOwner() throws Exception {
        try (ServerSocket owner = server(ANY_PORT, true)) {
            assertThatThrownBy(() -> HeldPort.at(ANY_PORT.withPort(owner.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "in use by pid " + ProcessHandle.current().pid());
        }
    }

    private static ServerSocket server(NodeAddress address, boolean reuse) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(reuse);
            server.bind(new InetSocketAddress(address.host(), address.port()));
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }
}
