// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.Collection;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What an option names, of what there is. */
public final class Choice {
    private Choice() {}

    /**
     * The one that is called so, whatever the case.
     *
     * @throws CliException that lists all names if there is none
     */
    public static <T> T of(String option, String name, Collection<T> all, Function<T, String> nameOf) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        return all.stream()
                .filter(one -> nameOf.apply(one).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new CliException(
                        ExitCode.USAGE,
                        option + " " + name + ": expected "
                                + all.stream().map(nameOf).collect(Collectors.joining(", "))));
    }
}
