// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.util.List;

/** The tool that reads and writes a file in pieces: 4 KiB at random places, one after the other. */
final class Fio {
    /** Writes are made durable after that many. */
    private static final int WRITES_PER_SYNC = 32;

    private static final int NOT_SUPPORTED = 95;

    private Fio() {}

    /** Reads from a file that is there. */
    static List<String> read(String file, int mebibytes, int seconds) {
        return command(file, mebibytes, seconds, "--rw=randread", "--readonly");
    }

    /** Writes into a file that is there. */
    static List<String> write(String file, int mebibytes, int seconds) {
        return command(file, mebibytes, seconds, "--rw=randwrite", "--fdatasync=" + WRITES_PER_SYNC);
    }

    private static List<String> command(String file, int mebibytes, int seconds, String mode, String more) {
        return List.of(
                "sh",
                "-c",
                "fio \"$@\" || :", // an error is in its report, with the kernel's number for it
                "fio",
                "--name=random",
                "--filename=" + file,
                mode,
                more,
                "--bs=4k",
                "--ioengine=psync",
                "--size=" + mebibytes + "m",
                "--time_based",
                "--runtime=" + seconds,
                "--output-format=json");
    }

    /**
     * How many operations a second it says that it made.
     *
     * @param direction {@code read} or {@code write}
     * @throws CliException if one failed, or it made none
     */
    static double operationsPerSecond(String output, String direction) {
        int report = output.indexOf('{');
        if (report < 0) {
            throw new CliException(ExitCode.FAILED, "fio made no report: " + output);
        }
        JsonNode job = Json.tree(output.substring(report)).path("jobs").path(0);
        int error = job.path("error").asInt(-1);
        if (error != 0) {
            throw new CliException(
                    ExitCode.FAILED, error == NOT_SUPPORTED ? "not supported (EOPNOTSUPP)" : "fio: errno " + error);
        }
        double rate = job.path(direction).path("iops").asDouble();
        if (rate <= 0) {
            throw new CliException(ExitCode.FAILED, "fio made no operation");
        }
        return rate;
    }
}
