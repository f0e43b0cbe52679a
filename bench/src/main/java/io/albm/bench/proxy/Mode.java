// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import java.nio.file.Path;
import java.util.List;

/** What a proxy does with a connection. */
enum Mode {
    /** Requests are read, routed and passed on one by one. */
    HTTP,
    /** Bytes are relayed. */
    TCP,
    /** As HTTP, with TLS to the client. */
    TLS;

    /** Of the URL that the load asks for; behind a TCP relay stands an HTTP server, too. */
    String scheme() {
        return this == TLS ? "https" : "http";
    }

    /**
     * How {@code albm run distributor} is told.
     *
     * @param certificates directory of the certificates to show
     */
    List<String> options(Path certificates) {
        return switch (this) {
            case HTTP -> List.of();
            case TCP -> List.of("--mode", "tcp");
            case TLS -> List.of("--tls-port", "0", "--tls-certificates", certificates.toString());
        };
    }
}
