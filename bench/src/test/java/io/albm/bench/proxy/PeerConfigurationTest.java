// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Peers get at least the tuning that makes a comparison fair. */
class PeerConfigurationTest {
    private static final Backends BACKENDS =
            new Backends(NodeAddress.parse("127.0.0.1:7001"), NodeAddress.parse("127.0.0.1:7002"));
    private static final Map<Mode, Integer> PORTS = Map.of(Mode.HTTP, 8001, Mode.TCP, 8002, Mode.TLS, 8003);
    private static final Path CERTIFICATE = Path.of("/run/server.pem");

    @Test
    void haproxyHasLargeBuffersReuseAndSplice() {
        String text = new HaproxyConfiguration(2, CERTIFICATE).text(PORTS, BACKENDS);
        assertThat(text)
                .contains("nbthread 2", "tune.bufsize 65536", "tune.pipesize 262144", "http-reuse always")
                .contains("option splice-request", "option splice-response")
                .contains("bind 127.0.0.1:8001", "bind 127.0.0.1:8002", "bind 127.0.0.1:8003 ssl crt /run/server.pem")
                .contains("server a 127.0.0.1:7001", "server b 127.0.0.1:7002")
                .doesNotContain("log ");
    }

    @Test
    void nginxKeepsItsConnectionsToServersAndWritesNoLog() {
        String text = new NginxConfiguration(2, CERTIFICATE).text(PORTS, BACKENDS);
        assertThat(text)
                .contains("worker_processes 2", "keepalive 256", "keepalive_requests 100000000", "access_log off")
                .contains("listen 127.0.0.1:8001", "listen 127.0.0.1:8002", "listen 127.0.0.1:8003 ssl");
    }

    @Test
    void nginxWithoutItsStreamModuleRelaysNoTcp() {
        String text = new NginxConfiguration(2, CERTIFICATE).text(Map.of(Mode.HTTP, 8001, Mode.TLS, 8003), BACKENDS);
        assertThat(text).doesNotContain("stream {");
    }
}
