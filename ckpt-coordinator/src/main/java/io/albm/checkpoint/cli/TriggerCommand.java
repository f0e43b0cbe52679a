// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Aborted;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.DurableState;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm ckpt trigger}. */
@Command(
        name = "trigger",
        description = "Ask for a checkpoint now and wait until it is complete, or say why it was given up.",
        footer = {"  albm ckpt trigger heat", "  albm ckpt trigger heat --timeout 10m --json"})
final class TriggerCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Mixin
    private JobWatch watch = new JobWatch();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            watch.begin(access, store);
            long first = access.await(store.read()).next();
            access.await(access.cluster()
                    .store()
                    .commit(List.of(new Operation.Set(store.paths().trigger(), new byte[0], Operation.ANY))));
            Committed complete = watch.until(access, store, () -> outcome(access, store, first))
                    .orElseThrow(() -> late(access.await(store.read())));
            System.out.println(
                    json
                            ? Json.text(complete)
                            : "checkpoint " + complete.number() + " of " + job.name() + " is complete: step "
                                    + complete.step() + ", " + complete.bytes() + " bytes in " + complete.millis()
                                    + " ms");
            return ExitCode.DONE;
        }
    }

    /** One that was in flight already may hold a state of before, so it is not the one. */
    private Optional<Committed> outcome(JobAccess access, JobStore store, long first) {
        DurableState state = access.await(store.read());
        if (state.latest() >= first) {
            return access.await(store.committed(state.latest()));
        }
        Aborted aborted = access.await(store.aborted());
        if (aborted.number() >= first) {
            throw failed("checkpoint " + aborted.number() + " of " + job.name() + " was given up: " + aborted.reason());
        }
        if (!JobWatch.isRunning(access, store)) {
            throw failed("job " + job.name() + " ended before a checkpoint was complete");
        }
        return Optional.empty();
    }

    private CliException late(DurableState state) {
        return failed("no complete checkpoint of " + job.name() + " within " + watch.timeout() + "; "
                + JobWatch.state(state));
    }

    private static CliException failed(String message) {
        return new CliException(ExitCode.FAILED, message);
    }
}
