// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm ckpt verify}. */
@Command(
        name = "verify",
        description =
                "Read every index and every page of every complete checkpoint of a job and compare them with their digests."
                        + " Exit code 1 if any cannot be restored.",
        footer = "  albm ckpt verify heat")
final class VerifyCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Override
    public Integer call() {
        boolean allGood = true;
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            for (long number : access.await(store.committedNumbers())) {
                var entry = access.await(store.committed(number));
                allGood &= entry.isEmpty() || isGood(access.files(), store, entry.get());
            }
        }
        return allGood ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static boolean isGood(StripedCheckpointFiles files, JobStore store, Committed entry) {
        try {
            Manifest manifest = store.manifest(entry.number(), files).join();
            files.run(() -> verify(new StoredStates(files, store.paths()), manifest))
                    .join();
            System.out.println("checkpoint " + entry.number() + ": good, step " + entry.step() + ", " + entry.bytes()
                    + " bytes, " + manifest.packs().size() + " packs");
            return true;
        } catch (CompletionException e) {
            System.out.println("checkpoint " + entry.number() + ": BAD: "
                    + JobAccess.cause(e).getMessage());
            return false;
        }
    }

    private static boolean verify(StoredStates states, Manifest manifest) throws IOException {
        for (StoredUnit unit : manifest.units()) {
            states.read(unit, (offset, from, at, length) -> {}, List.of());
        }
        return true;
    }
}
