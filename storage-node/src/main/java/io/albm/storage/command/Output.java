// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.json.Json;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Prints a result for people or for programs. */
final class Output {
    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    void print(Object result, Supplier<String> text) {
        System.out.println(json ? Json.pretty(result) : text.get());
    }
}
