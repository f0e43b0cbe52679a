// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.core.node.NodeAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * Varnish as its manual advises for this load: documents in malloc storage, kept for the whole run, and threads for all
 * connections made beforehand.
 */
final class Varnish {
    private Varnish() {}

    /**
     * Its command line; it stays in the foreground.
     *
     * @param threads that are there from the beginning; a connection with a request takes one
     * @param directory where it may write
     */
    static List<String> command(Path file, Path directory, int port, int threads) {
        return List.of(
                "varnishd",
                "-F",
                "-j",
                "none", // its jail would change to a user who may not enter the private directory
                "-n",
                directory.resolve("varnish").toString(),
                "-a",
                "127.0.0.1:" + port,
                "-f",
                file.toString(),
                "-s",
                "malloc,256m",
                "-T",
                "none",
                "-p",
                "thread_pools=1",
                "-p",
                "thread_pool_min=" + threads,
                "-p",
                "timeout_idle=600",
                "-p",
                "listen_depth=4096");
    }

    /** What it is told of the server behind it. */
    static String configuration(NodeAddress origin) {
        return """
                vcl 4.1;
                backend origin {
                  .host = "%s";
                  .port = "%d";
                }
                sub vcl_backend_response {
                  set beresp.ttl = 1d;
                }
                """.formatted(origin.host(), origin.port());
    }
}
