// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.DuplicateNodeException;
import io.albm.core.cluster.Registration;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.json.Json;
import io.albm.core.log.Logging;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one process.
 *
 * <pre>
 * configuration checked → admin port (live, not ready) → ZooKeeper connecting in the background
 *   → service serves → admitted → registered with the cluster → ready, READY line
 *   → SIGTERM → not ready → out of the membership → drained within the bound → everything closed → exit 0
 * </pre>
 *
 * <p>ZooKeeper away at the start: the process waits, not ready, for as long as it takes. Away later: it goes on serving
 * with the last view and says so as a warning. A service that cannot go on ends the process with 1. A second signal ends the process wherever it is.
 */
final class RoleProcess {

    private static final Logger log = LoggerFactory.getLogger(RoleProcess.class);
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

    private final RoleDefinition definition;
    private final Configuration configuration;
    private final Health health = new Health(InstantSource.system());
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    RoleProcess(RoleDefinition definition, Configuration configuration) {
        this.definition = definition;
        this.configuration = configuration;
    }

    /** Runs until a signal came and the process has drained. */
    void run() throws Exception {
        run(Signals.takeOver().first(), () -> {});
    }

    /**
     * Runs until it is told to end, and has drained.
     *
     * @param end completes with the reason
     * @param onReady called when the process is a member and serves
     */
    void run(CompletableFuture<String> end, Runnable onReady) throws Exception {
        Logging.format(configuration.get(CommonKeys.LOG_FORMAT));
        configuration.warnings().forEach(log::warn);
        BindRule.check(configuration);
        try {
            serve(end, onReady);
        } finally {
            closeAll();
        }
    }

    private void serve(CompletableFuture<String> signal, Runnable onReady) throws Exception {
        health.block("start", "not serving yet");
        var context = context();
        var service = opened(definition.create(context));
        var end = firstOf(signal, service.failure());
        var self = withAdmin(start(service), context.admin().address());
        Optional<Registration> registration = Optional.empty();
        if (await(service.admission(), end)) {
            registration = Optional.of(join(context.cluster(), self, end, onReady));
        }
        var reason = reason(end);
        log.info("{}: leaves the cluster and drains", reason);
        drain(service, registration);
    }

    private static CompletableFuture<String> firstOf(
            CompletableFuture<String> signal, CompletableFuture<Void> failure) {
        var first = new CompletableFuture<String>();
        signal.thenAccept(first::complete);
        failure.exceptionally(cause -> {
            log.error("the process ends: {}", cause.getMessage());
            first.completeExceptionally(new CliException(ExitCode.FAILED, String.valueOf(cause.getMessage()), cause));
            return null;
        });
        return first;
    }

    private static String reason(CompletableFuture<String> end) throws Exception {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw refusal(e);
        }
    }

    /** Returns when the process is registered, or is to end. Fails if the cluster refuses it. */
    private Registration join(Cluster cluster, Member self, CompletableFuture<String> end, Runnable onReady)
            throws Exception {
        var registration = opened(cluster.join(self));
        registration.registered().thenRun(() -> {
            ready(self);
            onReady.run();
        });
        await(registration.registered(), end);
        return registration;
    }

    private RoleContext context() throws IOException {
        var role = definition.role();
        var id = configuration.get(CommonKeys.ID);
        var transport = opened(Transport.open());
        var metrics = opened(new Metrics(role, id));
        var adminAddress =
                new NodeAddress(configuration.get(CommonKeys.BIND), configuration.get(CommonKeys.ADMIN_PORT));
        var admin = opened(admin(transport, adminAddress, metrics));
        return new RoleContext(
                role,
                configuration,
                opened(cluster()),
                metrics,
                transport,
                health,
                admin,
                MonotonicClock.system(),
                data());
    }

    private AdminServer admin(Transport transport, NodeAddress address, Metrics metrics) {
        try {
            return new AdminServer(
                    transport, address, definition.role(), configuration.get(CommonKeys.ID), health, metrics);
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED, "admin port " + e.getMessage(), e);
        }
    }

    private Path data() throws IOException {
        return Files.createDirectories(configuration.get(CommonKeys.DATA));
    }

    private Cluster cluster() {
        var servers = definition.zookeeper(configuration).stream()
                .map(NodeAddress::toString)
                .collect(Collectors.joining(","));
        var cluster = connect(servers);
        cluster.connection().onChange(state -> connectionChanged(servers, state));
        return cluster;
    }

    private Cluster connect(String servers) {
        try {
            return ZooKeeperCluster.connect(servers, configuration.get(CommonKeys.CLUSTER));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    private void connectionChanged(String servers, ConnectionState state) {
        switch (state) {
            case CONNECTING -> health.block("zookeeper", "no connection to " + servers + " yet, keeps trying");
            case CONNECTED -> health.clear("zookeeper");
            case SUSPENDED, LOST ->
                health.warn("zookeeper", "connection to " + servers + " lost, serving with the last view");
        }
    }

    private static Member withAdmin(Member member, NodeAddress admin) {
        var endpoints = new HashMap<>(member.endpoints());
        endpoints.put(Member.ADMIN, admin);
        return new Member(
                member.id(), member.role(), endpoints, member.attributes(), member.version(), member.started());
    }

    /** The one line on stdout: who started this process waits for it. */
    private record Ready(String id, String role, Map<String, String> endpoints, long pid) {

        static Ready of(Member self) {
            Map<String, String> endpoints = new TreeMap<>();
            self.endpoints().forEach((use, address) -> endpoints.put(use, address.toString()));
            return new Ready(
                    self.id().value(),
                    self.role().id(),
                    endpoints,
                    ProcessHandle.current().pid());
        }
    }

    private void ready(Member self) {
        health.clear("start");
        log.info("{} {} is ready: {}", self.role(), self.id(), self.endpoints());
        System.out.println("READY " + Json.text(Ready.of(self)));
        System.out.flush();
    }

    private static Member start(RoleService service) throws Exception {
        try {
            return service.start();
        } catch (IOException e) {
            throw cannotServe(e);
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException cause ? cannotServe(cause) : e;
        }
    }

    private static CliException cannotServe(IOException cause) {
        return new CliException(ExitCode.FAILED, String.valueOf(cause.getMessage()), cause);
    }

    /** Waits for a step of the start, and fails as it does. @return false if the end came first */
    private static boolean await(CompletableFuture<Void> step, CompletableFuture<String> end) throws Exception {
        try {
            CompletableFuture.anyOf(end, step).get();
            return !end.isDone();
        } catch (ExecutionException e) {
            throw refusal(e);
        }
    }

    private static Exception refusal(ExecutionException e) {
        return switch (e.getCause()) {
            case DuplicateNodeException duplicate ->
                new CliException(ExitCode.REFUSED, String.valueOf(duplicate.getMessage()), duplicate);
            case ConfigException unusable -> unusable;
            case CliException failed -> failed;
            case null, default -> e;
        };
    }

    private void drain(RoleService service, Optional<Registration> registration) {
        var bound = configuration.get(CommonKeys.DRAIN_TIMEOUT);
        health.block("shutdown", "draining for at most " + bound.toMillis() + " ms");
        registration.ifPresent(Registration::close);
        within(bound.plus(CLOSE_GRACE), "drain", () -> service.drain(bound));
    }

    /** Closes in the reverse order of opening, each within a bound, so that SIGTERM always ends the process. */
    private void closeAll() {
        while (!opened.isEmpty()) {
            var next = opened.pop();
            within(CLOSE_GRACE, "closing " + next.getClass().getSimpleName(), next::close);
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Work that may throw. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private static void within(Duration bound, String what, Step step) {
        var done = new CompletableFuture<Void>();
        Thread.ofPlatform().daemon().name("albm-" + what).start(() -> {
            try {
                step.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        try {
            done.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            log.error("{} failed", what, e.getCause());
        } catch (TimeoutException e) {
            log.error("{} took more than {} ms and is given up", what, bound.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
