// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Something to serve for whoever has named no documents. */
final class WelcomePage {
    private static final String HTML = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>ALBM</title>
            <h1>It serves</h1>
            <p>This page came from the main memory of a cache server, through the distributor.
            Put documents beside it, or start the cluster with <code>albm up --docs DIR</code>.
            </html>
            """;

    private WelcomePage() {}

    /** Makes the directory with the page, unless there is one. */
    static Path in(Path directory) throws IOException {
        Path page = Files.createDirectories(directory).resolve("index.html");
        if (Files.notExists(page)) {
            Files.writeString(page, HTML);
        }
        return directory;
    }
}
