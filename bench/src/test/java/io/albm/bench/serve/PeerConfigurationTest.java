// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Peers get at least the tuning that makes a comparison fair. */
class PeerConfigurationTest {
    private static final Path DIRECTORY = Path.of("/run/bench");

    @Test
    void nginxKeepsFilesOpenSendsThemByTheKernelAndWritesNoLog() {
        assertThat(StaticNginx.configuration(2, DIRECTORY, 8001))
                .contains("worker_processes 2", "sendfile on", "tcp_nopush on", "open_file_cache max=4000")
                .contains("keepalive_requests 100000000", "access_log off")
                .contains("listen 127.0.0.1:8001", "root /run/bench;");
    }

    @Test
    void varnishHasItsDocumentsInMemoryForTheWholeRunAndItsThreadsBeforehand() {
        assertThat(Varnish.command(DIRECTORY.resolve("vcl"), DIRECTORY, 8002, 500))
                .contains("127.0.0.1:8002", "malloc,256m", "thread_pools=1", "thread_pool_min=500");
        assertThat(Varnish.configuration(NodeAddress.parse("127.0.0.1:8001")))
                .contains(".port = \"8001\"", "beresp.ttl = 1d");
    }
}
