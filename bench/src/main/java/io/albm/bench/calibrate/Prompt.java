// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Somebody at a terminal who can be asked. */
@FunctionalInterface
interface Prompt {
    Set<String> YES = Set.of("y", "yes");

    /** Shows the question and reads a line; null if there will be none any more. */
    @Nullable
    String ask(String question);

    /** Whether the answer is yes. Everything else is no: an empty line, the end of input, a slip of the finger. */
    default boolean agrees(String question) {
        String answer = ask(question + " [y/N] ");
        return answer != null && YES.contains(answer.strip().toLowerCase(Locale.ROOT));
    }

    /** Who sits before this process; nobody if it has no terminal. */
    static Optional<Prompt> terminal() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> question -> console.readLine("%s", question));
    }
}
