// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.text.Nearest;
import java.util.Collection;

/** Names that a running cluster knows, for words on a command line that have to be among them. */
final class Known {
    private Known() {}

    /**
     * Checks that there is such a thing.
     *
     * @param what kind of thing, such as {@code frontend}
     * @throws CliException with the names that there are
     */
    static void require(String what, String name, Collection<String> known) {
        if (!known.contains(name)) {
            String others = known.isEmpty() ? "there is none" : "expected one of " + String.join(", ", known);
            throw new CliException(
                    ExitCode.USAGE, "there is no " + what + " '" + name + "': " + others + Nearest.hint(name, known));
        }
    }
}
