// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import java.nio.file.Path;
import java.util.List;

/** nginx as its manual advises for heavy load, whatever it does: no log, requests per connection without end. */
public final class Nginx {
    private Nginx() {}

    /**
     * Its command line; it stays in the foreground.
     *
     * @param directory where it may write
     */
    public static List<String> command(Path file, Path directory) {
        return List.of("nginx", "-p", directory.toString(), "-e", "nginx.log", "-c", file.toString());
    }

    /**
     * The text of its configuration.
     *
     * @param workers as many as we have event loops
     * @param http directives of its HTTP part beyond the common ones, indented by two blanks
     */
    public static String configuration(int workers, String http) {
        return """
                daemon off;
                pid nginx.pid;
                worker_processes %d;
                worker_rlimit_nofile 20000;
                events { worker_connections 8192; }
                http {
                  access_log off;
                  sendfile on;
                  tcp_nopush on;
                  tcp_nodelay on;
                  keepalive_requests 100000000;
                  keepalive_timeout 600;
                  client_body_temp_path nginx-body;
                  proxy_temp_path nginx-proxy;
                  fastcgi_temp_path nginx-fastcgi;
                  uwsgi_temp_path nginx-uwsgi;
                  scgi_temp_path nginx-scgi;
                %s}
                """.formatted(workers, http);
    }
}
