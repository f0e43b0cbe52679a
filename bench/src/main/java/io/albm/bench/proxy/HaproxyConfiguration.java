// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * haproxy as its manual advises for this load: as many threads as we have event loops, large buffers for large bodies,
 * connections to servers reused by everybody, splice in TCP mode.
 *
 * @param threads that it may use
 * @param certificate PEM with certificate and key
 */
record HaproxyConfiguration(int threads, Path certificate) implements Peer.Configuration {

    @Override
    public List<Mode> modes() {
        return List.of(Mode.values());
    }

    @Override
    public List<String> command(Path file, Path directory) {
        return List.of("haproxy", "-db", "-f", file.toString());
    }

    @Override
    public String text(Map<Mode, Integer> ports, Backends backends) {
        return """
                global
                  nbthread %d
                  maxconn 4000
                  tune.bufsize 65536
                  tune.pipesize 262144
                defaults
                  timeout connect 5s
                  timeout client 600s
                  timeout server 600s
                frontend http_in
                  mode http
                  bind 127.0.0.1:%d
                  bind 127.0.0.1:%d ssl crt %s
                  default_backend http_servers
                backend http_servers
                  mode http
                  option forwardfor
                  http-reuse always
                  balance roundrobin
                  server a %s
                  server b %s
                listen tcp_splice
                  mode tcp
                  option splice-request
                  option splice-response
                  bind 127.0.0.1:%d
                  balance roundrobin
                  server a %s
                  server b %s
                """.formatted(
                        threads,
                        ports.get(Mode.HTTP),
                        ports.get(Mode.TLS),
                        certificate,
                        backends.first(),
                        backends.second(),
                        ports.get(Mode.TCP),
                        backends.first(),
                        backends.second());
    }
}
