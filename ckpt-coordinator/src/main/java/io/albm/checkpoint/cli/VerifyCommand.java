// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm ckpt verify}. */
@Command(
        name = "verify",
        description = "Read every byte of every complete checkpoint of a job and compare it with its digests."
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
                allGood &= entry.isEmpty() || isGood(access.files(), entry.get());
            }
        }
        return allGood ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static boolean isGood(StripedCheckpointFiles files, Committed entry) {
        try {
            files.run(() -> verify(files, entry)).join();
            System.out.println(
                    "checkpoint " + entry.number() + ": good, step " + entry.step() + ", " + entry.bytes() + " bytes");
            return true;
        } catch (CompletionException e) {
            System.out.println("checkpoint " + entry.number() + ": BAD: "
                    + JobAccess.cause(e).getMessage());
            return false;
        }
    }

    private static boolean verify(StripedCheckpointFiles files, Committed entry) throws IOException {
        require(entry.manifest(), digest(files, entry.manifest()), entry.manifestSha256());
        Manifest manifest = Json.read(files.read(entry.manifest()).join(), Manifest.class);
        for (StoredUnit unit : manifest.units()) {
            require(unit.path(), digest(files, unit.path()), unit.sha256());
        }
        return true;
    }

    private static String digest(StripedCheckpointFiles files, String path) throws IOException {
        try (InputStream in = files.open(path);
                DigestOutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), Digests.sha256())) {
            in.transferTo(out);
            return Digests.hex(out.getMessageDigest().digest());
        }
    }

    private static void require(String path, String found, String expected) throws IOException {
        if (!found.equals(expected)) {
            throw new IOException(path + " has SHA-256 " + found + ", expected " + expected);
        }
    }
}
