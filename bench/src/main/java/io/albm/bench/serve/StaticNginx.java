// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Nginx;
import java.nio.file.Path;

/** nginx for static files as its manual advises: files kept open, sent by the kernel, no log. */
final class StaticNginx {
    private StaticNginx() {}

    /**
     * Its configuration. Workers keep the user who starts it: the documents are in a private directory.
     *
     * @param workers as many as we have event loops
     */
    static String configuration(int workers, Path documents, int port) {
        return "user root root;\n" + Nginx.configuration(workers, """
                          open_file_cache max=4000;
                          open_file_cache_valid 600s;
                          server {
                            listen 127.0.0.1:%d backlog=4096 reuseport;
                            root %s;
                          }
                        """.formatted(port, documents));
    }
}
