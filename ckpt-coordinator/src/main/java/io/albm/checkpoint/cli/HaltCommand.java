// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.DurableState;
import io.albm.checkpoint.protocol.Inflight;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm ckpt halt}. */
@Command(
        name = "halt",
        description = {
            "Take a last checkpoint of a running job and end it: its ranks stop at the step that was saved, and the same"
                    + " 'albm job run --name' goes on from there.",
            "If that is not done in time, the request is withdrawn."
        },
        footer = {"  albm ckpt halt heat", "  albm ckpt halt heat --timeout 10m"})
final class HaltCommand implements Callable<Integer> {
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
            DurableState before = access.await(store.read());
            access.await(store.halt());
            Committed last = watch.until(access, store, () -> outcome(access, store, before))
                    .orElseThrow(() -> withdrawn(access, store));
            System.out.println(
                    json
                            ? Json.text(last)
                            : "job " + job.name() + " is halted at checkpoint " + last.number() + ", step "
                                    + last.step() + "; 'albm job run --name " + job.name() + "' goes on from it");
            return ExitCode.DONE;
        }
    }

    /** The supervisor takes the request away when all ranks have ended, and then ends itself. */
    private Optional<Committed> outcome(JobAccess access, JobStore store, DurableState before) {
        boolean running = JobWatch.isRunning(access, store);
        boolean asked = access.await(store.isHalting());
        if (running) {
            return Optional.empty();
        }
        if (asked) {
            access.await(store.endHalt());
        }
        DurableState state = access.await(store.read());
        if (state.finished()) {
            throw failed("job " + job.name() + " has finished by itself; there is nothing to continue");
        }
        if (state.latest() < (asked ? before.next() : first(before))) {
            throw failed("job " + job.name() + " ended before its last checkpoint was complete; it would go on from"
                    + " checkpoint " + state.latest());
        }
        return access.await(store.committed(state.latest()));
    }

    /** The first that could be the last one: that is decided when ranks are told to save, also of one that had begun before. */
    private static long first(DurableState before) {
        return before.inflight().stream()
                .filter(begun -> !begun.voted())
                .mapToLong(Inflight::number)
                .min()
                .orElse(before.next());
    }

    private CliException withdrawn(JobAccess access, JobStore store) {
        String state = JobWatch.state(access.await(store.read()));
        access.await(store.endHalt());
        return failed("job " + job.name() + " was not halted within " + watch.timeout()
                + "; the request is withdrawn, and it runs on unless its ranks have saved the last one by now; "
                + state);
    }

    private static CliException failed(String message) {
        return new CliException(ExitCode.FAILED, message);
    }
}
