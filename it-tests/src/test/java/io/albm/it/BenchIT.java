// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.it.Albm.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code albm bench}: its JAR is whole, its JSON is the contract's, and its exit code is that of its targets. */
class BenchIT {
    private static final Pattern BENCHMARK = Pattern.compile("io/albm/bench/jmh/(\\w+Benchmark)\\.class");

    @TempDir
    private Path directory;

    @Test
    void theJarListsEveryBenchmark() throws IOException {
        try (JarFile jar =
                new JarFile(Albm.home().resolve("bench/target/bench-all.jar").toFile())) {
            List<String> benchmarks = jar.stream()
                    .flatMap(entry -> BENCHMARK.matcher(entry.getName()).results())
                    .map(found -> found.group(1))
                    .toList();
            assertThat(benchmarks).isNotEmpty();
            assertThat(text(jar, "META-INF/BenchmarkList")).contains(benchmarks);
        }
    }

    @Test
    void microbenchmarksAreComparedWithTheirBaseline() throws Exception {
        JsonNode report = report(Albm.in(directory).run("bench", "jmh", "RoutingPick", "--quick", "--json"));
        JsonNode result = report.path("results").path(0);
        assertThat(result.path("name").asText()).startsWith("RoutingPickBenchmark");
        assertThat(result.path("ours").asDouble()).isPositive();
        assertThat(result.path("peer").asDouble()).isPositive();
    }

    @Test
    void cachePoliciesAreComparedOverATrace() throws Exception {
        JsonNode report = report(Albm.in(directory).run("bench", "cache-hit", "--quick", "--json"));
        assertThat(report.path("targets")).isNotEmpty();
    }

    @Test
    void layoutsAreComparedInASimulatedClusterOfAThousandNodes() throws Exception {
        JsonNode report = report(Albm.in(directory).run("bench", "storage-durability", "--quick", "--json"));
        assertThat(report.path("targets")).hasSize(2);
    }

    private static JsonNode report(Result bench) {
        JsonNode report = Json.tree(bench.out());
        boolean holds = true;
        for (JsonNode target : report.path("targets")) {
            holds &= target.path("ok").asBoolean();
        }
        assertThat(bench.exitCode()).as(bench.err()).isEqualTo(holds ? 0 : 1);
        return report;
    }

    private static String text(JarFile jar, String entry) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getJarEntry(entry))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
