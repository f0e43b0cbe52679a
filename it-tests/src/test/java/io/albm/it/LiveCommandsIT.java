// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.it.Albm.Result;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands that change a running cluster, and what the requests notice of it. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LiveCommandsIT {
    private static final int REQUESTS = 100;

    private final RunningCluster cluster;

    LiveCommandsIT(RunningCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void takeBack() throws Exception {
        done("policy", "--reset");
        done("threshold", "reset");
        done("undrain", "cache-1");
        cluster.awaitWhole();
    }

    @Test
    void aPolicyIsInForceAtOnceAndTakenBack() throws Exception {
        String before = policy();
        assertThat(before).isNotEqualTo("least-connections");
        done("policy", "least-connections");
        await().until(this::policy, "least-connections"::equals);
        cluster.requireDocuments(REQUESTS);

        done("policy", "--reset");
        await().until(this::policy, before::equals);
    }

    @Test
    void aDrainedCacheServerGetsNoNewRequestsUntilItIsUndrained() throws Exception {
        done("drain", "cache-1");
        await().until(() -> health("cache-1"), "draining"::equals);
        long before = cluster.answered("cache-1");
        cluster.requireDocuments(REQUESTS);
        assertThat(cluster.answered("cache-1")).isEqualTo(before);

        done("undrain", "cache-1");
        await().until(() -> health("cache-1"), "up"::equals);
        cluster.requireDocuments(REQUESTS);
        assertThat(cluster.answered("cache-1")).isGreaterThan(before);
    }

    @Test
    void whatMakesNoSenseIsRefusedInOneLineAndChangesNothing() throws Exception {
        String before = policy();
        assertThat(refused("policy", "least-conections")).contains("'least-conections'", "least-connections");
        assertThat(refused("drain", "cache-3")).contains("'cache-3'", "cache-1, cache-2");
        assertThat(refused("threshold", "set", "available-memory", "2GiB", "1GiB"))
                .contains("available-memory", "relieve at most recover");
        assertThat(refused("threshold", "set", "available-memory", "much", "more"))
                .contains("'much'", "expected a size such as");
        assertThat(policy()).isEqualTo(before);
        assertThat(cluster.backends()).extracting(this::health).containsOnly("up");
    }

    @Test
    void atMostHalfAreRelievedAndEveryRequestIsServed() throws Exception {
        done("threshold", "set", "available-memory", "1TiB", "1TiB");
        await().until(() -> relieved().size(), Integer.valueOf(1)::equals);

        JsonNode out = relieved().getFirst();
        assertThat(out.path("reason").asText()).startsWith("available-memory = ");
        assertThat(out.at("/relieved/counter").asText()).isEqualTo("available-memory");
        assertThat(out.at("/relieved/value").asDouble()).isBetween(1.0, (double) (1L << 40));
        String id = out.path("id").asText();
        long before = cluster.answered(id);
        cluster.requireDocuments(REQUESTS);
        assertThat(cluster.answered(id)).isEqualTo(before);
        assertThat(relieved()).hasSize(1);
        assertThat(done("status").lines())
                .anyMatch(line -> line.contains("relieved below 1.00 TiB of available memory"))
                .anyMatch(line -> line.matches(id + " .* relieved .* available-memory = .*, for \\d+ s.*"));

        done("threshold", "reset");
        await().until(() -> relieved().isEmpty());
        cluster.requireDocuments(REQUESTS);
        assertThat(cluster.answered(id)).isGreaterThan(before);
    }

    private String policy() {
        return cluster.routing().path("policy").asText();
    }

    private String health(String id) {
        return health(cluster.backend(id));
    }

    private String health(JsonNode backend) {
        return backend.path("health").asText();
    }

    private List<JsonNode> relieved() {
        return cluster.backends().stream()
                .filter(backend -> backend.path("relieved").isObject())
                .toList();
    }

    private String done(String... command) throws Exception {
        Result result = cluster.albm(command);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private String refused(String... command) throws Exception {
        Result result = cluster.albm(command);
        assertThat(result.exitCode()).as(result.out()).isEqualTo(2);
        assertThat(result.err()).startsWith("albm: ").hasLineCount(1);
        return result.err();
    }
}
