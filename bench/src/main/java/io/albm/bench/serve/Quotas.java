// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Contender;
import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cgroup.QuotaGroup;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds contenders to a part of a processor each, where requests per second are compared: on a machine that they share
 * with the load generator, the quicker server only finds out how many answers the generator can take. Whoever is held is
 * held with all his processes. Closing ends them.
 */
final class Quotas implements AutoCloseable {
    /** Of what each may use. */
    static final double PROCESSORS = 0.5;

    private final Map<String, QuotaGroup> groups = new HashMap<>();

    /**
     * Holds them from now on.
     *
     * @throws CliException if this machine does not let us
     */
    void hold(List<Contender> contenders) throws IOException {
        for (Contender contender : contenders) {
            QuotaGroup group = group(contender);
            for (long pid : contender.process().pids()) {
                Files.writeString(group.members(), Long.toString(pid));
            }
            group.hold(PROCESSORS);
        }
    }

    private QuotaGroup group(Contender contender) throws IOException {
        QuotaGroup group = groups.get(contender.name());
        if (group == null) {
            try {
                group = QuotaGroup.create(contender.name());
            } catch (NotPermittedException e) {
                throw new CliException(ExitCode.FAILED, String.valueOf(e.getMessage()));
            }
            groups.put(contender.name(), group);
        }
        return group;
    }

    /** Lets all go. */
    void lift() throws IOException {
        for (QuotaGroup group : groups.values()) {
            group.lift();
        }
    }

    @Override
    public void close() throws IOException {
        for (QuotaGroup group : groups.values()) {
            group.close();
        }
    }
}
