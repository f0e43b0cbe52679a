// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a reader must know of the machine, the versions and the load to judge the figures. */
public final class Surroundings {

    private Surroundings() {}

    /** Of a comparison at that pace; {@code connections} says of the load how many. */
    public static Map<String, String> of(Pace pace, String connections) throws IOException {
        Map<String, String> all = machine();
        all.put("wrk", Tools.version("wrk", "-v"));
        all.put(
                "load",
                "wrk -t1 on the same processors, %s; %d rounds of %d s in turns, medians; JVM"
                                .formatted(
                                        connections, pace.rounds(), pace.run().toSeconds())
                        + " warmed up until its compilers were quiet, at most %d s per scenario"
                                .formatted(pace.longestWarmUp().toSeconds()));
        return all;
    }

    /** The machine and the moment. */
    public static Map<String, String> machine() throws IOException {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        machine.put(
                "machine",
                "%d x %s, Linux %s"
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                processor(),
                                System.getProperty("os.version")));
        machine.put(
                "load average",
                "%.2f at the end"
                        .formatted(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        machine.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        return machine;
    }

    private static String processor() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("processor");
        }
    }
}
