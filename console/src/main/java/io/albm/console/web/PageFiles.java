// SPDX-License-Identifier: Apache-2.0
package io.albm.console.web;

import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files of the page, read once from the JAR, and the headers that keep everything else out of it. */
final class PageFiles {

    /** Nothing but this server's own script, style and events; no frames, no forms, no base. */
    static final Map<String, String> HEADERS = Map.of(
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "referrer-policy",
            "no-referrer");

    /** One file: its route, its name and its type. */
    private record PageFile(String route, String name, String type) {}

    private static final List<PageFile> FILES = List.of(
            new PageFile("/", "index.html", "text/html; charset=utf-8"),
            new PageFile("/style.css", "style.css", "text/css; charset=utf-8"),
            new PageFile("/app.js", "app.js", "text/javascript; charset=utf-8"),
            new PageFile("/format.js", "format.js", "text/javascript; charset=utf-8"));

    private PageFiles() {}

    static void serve(WebServer server) {
        for (var file : FILES) {
            var response = WebResponse.of(200, file.type(), read(file.name()));
            server.routeInline(file.route(), _ -> response);
        }
    }

    private static String read(String name) {
        try (var in = PageFiles.class.getResourceAsStream("/io/albm/console/web/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
