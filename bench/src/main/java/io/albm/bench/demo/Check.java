// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.bench.job.JobResult;
import io.albm.bench.load.LoadReport;
import io.albm.storage.ScrubReport;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thing that the demo promises.
 *
 * @param name short, for tables and programs
 * @param ok whether it held
 * @param detail the figures that say so
 */
record Check(String name, boolean ok, String detail) {
    /** Judges what was seen. Pure. */
    static List<Check> all(Evidence seen) {
        return Stream.of(
                        requests(seen),
                        bodies(seen.load()),
                        hash(seen),
                        rollback(seen.job()),
                        reads(seen),
                        rebuild(seen.rebuild()),
                        scrub(seen.scrub()),
                        processes(seen.left()))
                .toList();
    }

    private static Check requests(Evidence seen) {
        LoadReport load = seen.load();
        boolean servedAfterFaults = load.requests() > seen.answeredBeforeLastFault();
        String examples =
                load.examples().isEmpty() ? "" : "; first: " + load.examples().getFirst();
        return new Check(
                "requests",
                load.failed() == 0 && servedAfterFaults,
                "%,d requests, %,d failed%s".formatted(load.requests(), load.failed(), examples));
    }

    private static Check bodies(LoadReport load) {
        return new Check(
                "bodies",
                load.wrongBodies() == 0 && load.bytes() > 0,
                "%,d bytes compared, %,d bodies wrong".formatted(load.bytes(), load.wrongBodies()));
    }

    private static Check hash(Evidence seen) {
        String disturbed = seen.job().hash();
        boolean same = !disturbed.isEmpty() && disturbed.equals(seen.undisturbedHash());
        return new Check(
                "hash",
                same,
                shortened(disturbed) + (same ? " equals" : " differs from") + " the undisturbed run's "
                        + shortened(seen.undisturbedHash()));
    }

    private static String shortened(String hash) {
        return hash.isEmpty() ? "(none)" : hash.substring(0, Math.min(12, hash.length()));
    }

    private static Check rollback(JobResult job) {
        return new Check(
                "rollback",
                job.rollbacks() > 0 && job.checkpoints() > 0,
                "%d checkpoints, %d rollbacks to one, at most %,d ms"
                        .formatted(job.checkpoints(), job.rollbacks(), job.longestRollbackMillis()));
    }

    private static Check reads(Evidence seen) {
        return new Check(
                "degraded-read",
                seen.readWithNodeLost(),
                seen.readWithNodeLost() ? "right with a storage node lost" : "wrong bytes with a storage node lost");
    }

    private static Check rebuild(RebuildResult rebuild) {
        return new Check(
                "rebuild",
                rebuild.whole() && rebuild.repaired() > 0,
                "%,d lost blocks made again, %s"
                        .formatted(rebuild.repaired(), rebuild.whole() ? "none missing" : "not all of them"));
    }

    private static Check scrub(ScrubReport scrub) {
        return new Check(
                "scrub",
                scrub.whole() && scrub.missing() + scrub.corrupt() == 0 && scrub.checked() > 0,
                "%,d blocks checked, %,d missing, %,d corrupt; remains of %,d failed writes swept"
                        .formatted(scrub.checked(), scrub.missing(), scrub.corrupt(), scrub.orphans()));
    }

    private static Check processes(List<String> left) {
        return new Check(
                "processes", left.isEmpty(), left.isEmpty() ? "none left running" : "left: " + String.join(", ", left));
    }
}
