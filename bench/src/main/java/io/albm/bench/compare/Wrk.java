// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load: {@code wrk} with one thread, a closed loop over a fixed number of connections. */
public final class Wrk {
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Pattern LINE = Pattern.compile("SEEN (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");

    /** wrk's own summary rounds: this prints the numbers. */
    private static final String SCRIPT = """
            done = function(summary, latency, requests)
              local e = summary.errors
              io.write(string.format("SEEN %d %d %d %d %d %d %d\\n", summary.requests, summary.duration,
                e.connect, e.read, e.write, e.status, e.timeout))
            end
            """;

    /**
     * What wrk saw.
     *
     * @param requests answered
     * @param micros that it took
     * @param errors connects, reads and writes that failed, answers other than 2xx and 3xx, and time-outs
     */
    record Seen(long requests, long micros, long errors) {
        /**
         * Reads what the script printed.
         *
         * @throws CliException if it did not
         */
        static Seen parse(String output) {
            Matcher line = LINE.matcher(output);
            if (!line.find()) {
                throw new CliException(ExitCode.FAILED, "wrk did not tell what it saw: " + output.strip());
            }
            long errors = 0;
            for (int group = 3; group <= line.groupCount(); group++) {
                errors += Long.parseLong(line.group(group));
            }
            return new Seen(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)), errors);
        }
    }

    private final ProcessGroup processes;
    private final Path script;

    /** One that runs as a process of that group. */
    public Wrk(ProcessGroup processes) throws IOException {
        this.processes = processes;
        this.script = Files.writeString(processes.directory().resolve("seen.lua"), SCRIPT);
    }

    /** Loads a contender for some whole seconds. */
    Seen run(Scenario scenario, Contender contender, Duration duration) throws IOException {
        return Seen.parse(processes.run("wrk", command(scenario, contender, duration), duration.plus(GRACE)));
    }

    private List<String> command(Scenario scenario, Contender contender, Duration duration) {
        List<String> command = new ArrayList<>(List.of("wrk", "-t1", "-c", Integer.toString(scenario.concurrency())));
        command.addAll(List.of("-d", duration.toSeconds() + "s", "--timeout", "10s", "-s", script.toString()));
        if (scenario.connectionPerRequest()) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.add(scenario.scheme() + "://" + contender.address()
                + scenario.payload().path());
        return command;
    }
}
