// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.tls.TestCertificates;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that come in records of TLS of their own, all at once. */
@Timeout(30)
class PipelinedTlsTest {
    private static final int REQUESTS = 5;

    /** A socket that can hold back what is written to it. */
    private static final class Holding extends Socket {
        private final BufferedOutputStream held = new BufferedOutputStream(super.getOutputStream(), 64 << 10);
        private boolean holding;

        Holding(NodeAddress to) throws IOException {
            super(InetAddress.getLoopbackAddress(), to.port());
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    held.write(bytes, offset, length);
                    flush();
                }

                @Override
                public void flush() throws IOException {
                    if (!holding) {
                        held.flush();
                    }
                }
            };
        }

        void hold() {
            holding = true;
        }

        void letGo() throws IOException {
            holding = false;
            held.flush();
        }
    }

    @Test
    void noneOfThemIsLost(@TempDir Path certificates) throws Exception {
        TestCertificates.write(certificates, "a", "localhost");
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (var backend = new RawBackend(call -> RawBackend.text(call.target()).answer(call));
                var harness = new ProxyHarness(backend)) {
            NodeAddress address = harness.listen(ServerCertificates.load(certificates, List.of("http/1.1")));
            try (var below = new Holding(address);
                    var client = (SSLSocket)
                            trusting.getSocketFactory().createSocket(below, "localhost", address.port(), true)) {
                client.startHandshake();
                below.hold();
                for (int i = 0; i < REQUESTS; i++) {
                    send(client, head("GET /" + i + " HTTP/1.1", "Host: a"));
                }
                below.letGo();

                for (int i = 0; i < REQUESTS; i++) {
                    assertThat(readResponse(client)).endsWith("/" + i);
                }
            }
        }
    }
}
