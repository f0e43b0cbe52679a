// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.Priority;
import io.albm.distributor.backend.BackendDirectory;
import io.albm.distributor.backend.BackendSettings;
import io.albm.distributor.backend.BackendSpec;
import io.albm.distributor.backend.ProtectionSettings;
import io.albm.distributor.http.RouteTable;
import io.albm.distributor.routing.ReliefSettings;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A real proxy on loopback in front of the backends of a test, without health checks. */
final class ProxyHarness implements AutoCloseable {
    static final NodeAddress LOOPBACK = new NodeAddress("127.0.0.1", 0);

    private final Transport transport = Transport.open(2);
    private final ScheduledExecutorService control = Executors.newSingleThreadScheduledExecutor();
    private final List<Socket> sockets = new ArrayList<>();
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    final ProxyStats stats = new ProxyStats(
            (name, help, tags) -> counters.computeIfAbsent(name + String.join(",", tags), _ -> new LongAdder()),
            nanos -> {});
    final BackendDirectory directory;
    final HttpProxy proxy;
    final NodeAddress address;
    final Pool pool;
    private final FrontendSpec spec;
    final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ProxyHarness(RawBackend... backends) throws IOException {
        this(new TestSettings(), backends);
    }

    ProxyHarness(TestSettings settings, RawBackend... backends) throws IOException {
        this(settings, null, backends);
    }

    ProxyHarness(TestSettings settings, @Nullable AccessLog log, RawBackend... backends) throws IOException {
        directory = new BackendDirectory(
                "main",
                control,
                MonotonicClock.system(),
                new BackendSettings(
                        "/",
                        Duration.ofDays(1),
                        Duration.ofSeconds(1),
                        1,
                        1,
                        1_000,
                        settings.maxConnections(),
                        Duration.ofMinutes(1),
                        ProtectionSettings.DEFAULT),
                "round-robin",
                ReliefSettings.DEFAULT,
                backend -> {});
        proxy = HttpProxy.create(transport, settings.build(), stats, log, MonotonicClock.system());
        pool = new Pool(stats, MonotonicClock.system(), settings.queueSize(), settings.queueTimeout());
        spec = settings.frontend();
        address = listen(null);
        expect(backends);
    }

    /** Listens at one more address, under certificates if there are some. */
    NodeAddress listen(@Nullable ServerCertificates certificates) throws IOException {
        var destination = new Destination(pool, directory, Priority.NORMAL);
        var terms = new Frontend.Terms(spec, certificates, new RouteTable<>(List.of(), destination));
        return proxy.listen(LOOPBACK, new Frontend(terms)).address();
    }

    void expect(RawBackend... backends) {
        expect(Arrays.stream(backends).map(RawBackend::address).toArray(NodeAddress[]::new));
    }

    void expect(NodeAddress... backends) {
        var specs = new TreeMap<String, BackendSpec>();
        for (NodeAddress backend : backends) {
            specs.put("b" + specs.size(), new BackendSpec(backend, null));
        }
        directory.expect(specs);
        settle();
    }

    /** Waits until the directory has done all it was told. */
    private void settle() {
        try {
            control.submit(() -> {}).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a counter without tags has come to. */
    long count(String counter) {
        LongAdder adder = counters.get(counter);
        return adder == null ? 0 : adder.sum();
    }

    URI uri(String path) {
        return URI.create("http://" + address + path);
    }

    /** The answer to a GET by a client of everyday use. */
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    /** A connection on which a test speaks byte by byte. */
    Socket connect() throws IOException {
        Socket socket = RawClient.connect(address);
        sockets.add(socket);
        return socket;
    }

    /** Sends bytes and reads all until the proxy closes. */
    String talk(String bytes) throws IOException {
        try (Socket socket = connect()) {
            RawClient.send(socket, bytes);
            return RawClient.readAll(socket);
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        http.close();
        proxy.close();
        transport.close();
        control.shutdown();
    }
}
