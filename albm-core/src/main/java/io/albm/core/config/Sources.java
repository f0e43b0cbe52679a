// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where values come from, strongest first.
 *
 * @param commandLine by key name
 * @param environment all variables of the process; those called {@code ALBM_<KEY>} count
 * @param file in HOCON, of which JSON and properties are subsets
 */
public record Sources(Map<String, String> commandLine, Map<String, String> environment, Optional<Path> file) {
    public Sources {
        commandLine = Map.copyOf(commandLine);
        environment = Map.copyOf(environment);
    }

    /** Values of a program that configures a role itself, such as a test: no environment, no file. */
    public static Sources commandLine(Map<String, String> values) {
        return new Sources(values, Map.of(), Optional.empty());
    }
}
