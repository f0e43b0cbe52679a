// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Where an experiment's runs and figures go: the option {@code --out} of all of them. */
public final class ExperimentFiles {

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/experiments/${COMMAND-NAME}",
            description = "Where runs.csv and the figures go (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("target/experiments");

    /** Writes them, by name, and says so. */
    public void write(Map<String, String> contents) throws IOException {
        Files.createDirectories(directory);
        for (var file : contents.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
        System.err.println("written: " + directory + "/{" + String.join(",", new TreeMap<>(contents).keySet()) + "}");
    }
}
