// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Nginx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * nginx as its manual advises for this load: as many workers as we have event loops, connections to servers kept without
 * end. It relays TCP only where its stream module is installed.
 *
 * @param workers that it may use
 * @param certificate PEM with certificate and key
 */
record NginxConfiguration(int workers, Path certificate) implements Peer.Configuration {
    private static final Path STREAM = Path.of("/usr/lib/nginx/modules/ngx_stream_module.so");

    @Override
    public List<Mode> modes() {
        return Files.exists(STREAM) ? List.of(Mode.values()) : List.of(Mode.HTTP, Mode.TLS);
    }

    @Override
    public List<String> command(Path file, Path directory) {
        return Nginx.command(file, directory);
    }

    @Override
    public String text(Map<Mode, Integer> ports, Backends backends) {
        Integer tcp = ports.get(Mode.TCP);
        String http = http(ports, backends);
        return tcp == null ? http : "load_module " + STREAM + ";\n" + http + stream(tcp, backends);
    }

    private String http(Map<Mode, Integer> ports, Backends backends) {
        return Nginx.configuration(workers, """
                  proxy_buffer_size 16k;
                  proxy_buffers 16 16k;
                  proxy_busy_buffers_size 64k;
                  proxy_max_temp_file_size 0;
                  upstream servers {
                    server %s;
                    server %s;
                    keepalive 256;
                    keepalive_requests 100000000;
                  }
                  server {
                    listen 127.0.0.1:%d backlog=4096;
                    listen 127.0.0.1:%d ssl backlog=4096;
                    ssl_certificate %s;
                    ssl_certificate_key %s;
                    location / {
                      proxy_pass http://servers;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_set_header X-Forwarded-For $remote_addr;
                    }
                  }
                """.formatted(
                        backends.first(),
                        backends.second(),
                        ports.get(Mode.HTTP),
                        ports.get(Mode.TLS),
                        certificate,
                        certificate));
    }

    private static String stream(int port, Backends backends) {
        return """
                stream {
                  upstream servers {
                    server %s;
                    server %s;
                  }
                  server {
                    listen 127.0.0.1:%d backlog=4096;
                    tcp_nodelay on;
                    proxy_buffer_size 64k;
                    proxy_pass servers;
                  }
                }
                """.formatted(backends.first(), backends.second(), port);
    }
}
