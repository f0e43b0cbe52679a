// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Contender;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Roles;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Starts our contenders: distributors with everything as shipped, in front of the bench's servers. */
final class Distributors {
    private final Roles roles;
    private final Backends backends;
    private final Path certificates;

    Distributors(Roles roles, Backends backends, Path certificates) {
        this.roles = roles;
        this.backends = backends;
        this.certificates = certificates;
    }

    /**
     * Starts a distributor.
     *
     * @throws NotSupportedException if it does not know that mode
     */
    Contender start(Mode mode) throws IOException, NotSupportedException {
        List<String> options = new ArrayList<>(List.of("--port", "0"));
        options.addAll(List.of("--backends", backends.first() + "," + backends.second()));
        options.addAll(mode.options(certificates));
        ChildProcess process =
                roles.start("distributor", "distributor-" + mode.name().toLowerCase(Locale.ROOT), options);
        try {
            return new Contender("albm", process, Roles.endpoint(process, mode.scheme()));
        } catch (CliException e) {
            if (mode != Mode.HTTP && refusedItsOptions(process)) {
                throw new NotSupportedException("not supported yet: " + process.lastWords());
            }
            throw e;
        }
    }

    private static boolean refusedItsOptions(ChildProcess process) {
        int code = process.exitCode().orElse(ExitCode.DONE);
        return code == ExitCode.USAGE || code == ExitCode.CONFIG;
    }

    /** The distributor lacks what a scenario needs. */
    static final class NotSupportedException extends Exception {
        NotSupportedException(String message) {
            super(message);
        }
    }
}
