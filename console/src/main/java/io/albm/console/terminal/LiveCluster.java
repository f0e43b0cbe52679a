// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.View;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A running cluster, for the commands that change it through ZooKeeper. Waits for each answer, within a bound. */
final class LiveCluster implements AutoCloseable {
    /** Live settings of the distributor; the names are its contract with these commands. */
    static final String DISTRIBUTOR = "distributor";

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(8);

    private final Cluster cluster;
    private final String zooKeeper;

    LiveCluster(ObservedCluster observed) {
        this.cluster = observed.connect();
        this.zooKeeper = observed.zooKeeper();
    }

    Map<NodeId, Member> members(Role role) {
        return loaded(cluster.members(role));
    }

    Map<String, String> settings(String scope) {
        return loaded(cluster.configuration(scope));
    }

    /** Null takes the setting back. */
    void set(String scope, String key, @Nullable String value) {
        await(cluster.configure(scope, key, value));
    }

    void change(String scope, UnaryOperator<Map<String, String>> change) {
        await(cluster.configure(scope, change));
    }

    private <T> T loaded(View<T> view) {
        return await(view.loaded());
    }

    private <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(ANSWER_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new CliException(
                    ExitCode.ZOOKEEPER_UNREACHABLE,
                    "ZooKeeper " + zooKeeper
                            + " does not answer; 'albm up' starts a cluster, --zookeeper names another",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted while waiting for ZooKeeper", e);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
