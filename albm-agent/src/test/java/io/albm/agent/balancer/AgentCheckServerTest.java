// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real sockets, and against a real HAProxy where one is installed. */
final class AgentCheckServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final Transport transport = Transport.open(1);
    private volatile String line = "up ready 100%\n";

    @SuppressWarnings("NullAway.Init") // made before each test
    private AgentCheckServer server;

    @BeforeEach
    void listen() throws IOException {
        server = new AgentCheckServer(transport, new NodeAddress("127.0.0.1", 0), () -> line);
    }

    @AfterEach
    void close() {
        server.close();
        transport.close();
    }

    @Test
    void saysTheLineOfThisMomentAndCloses() throws IOException {
        assertThat(ask("")).isEqualTo("up ready 100%\n");
        line = "up drain\n";
        assertThat(ask("")).isEqualTo("up drain\n");
    }

    @Test
    void doesNotLoseTheLineWhenTheOtherSideSpeaksFirst() throws IOException {
        for (int i = 0; i < 100; i++) {
            assertThat(ask("server cache-1\n".repeat(100))).isEqualTo("up ready 100%\n");
        }
    }

    @Test
    void whoeverStaysSilentIsClosedInTheEnd() throws IOException {
        try (Socket socket = connect()) {
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .isEqualTo("up ready 100%\n");
            await().atMost(PATIENCE).until(() -> server.connections() == 0);
        }
    }

    @Test
    void haproxyTakesWeightLimitDrainAndReason() throws Exception {
        Optional<Path> haproxy = haproxy();
        assumeTrue(haproxy.isPresent(), "haproxy is not installed: the rest of this class still holds");
        line = "up ready 37% maxconn:12\n";
        Process process = start(haproxy.orElseThrow());
        try {
            await().atMost(PATIENCE).until(() -> column("weight"), "37"::equals);
            assertThat(column("slim")).isEqualTo("12");
            assertThat(column("status")).startsWith("UP");

            line = "up drain\n";
            await().atMost(PATIENCE).until(() -> column("status").startsWith("DRAIN"));
            line = "down #available-memory 96.0 MiB\n";
            await().atMost(PATIENCE).until(() -> column("status").startsWith("DOWN"));
            assertThat(column("last_agt")).contains("available-memory 96.0 MiB");

            line = "up ready 80% maxconn:9\n";
            await().atMost(PATIENCE).until(() -> column("status").startsWith("UP"));
            await().atMost(PATIENCE).until(() -> column("weight"), "80"::equals);
            assertThat(column("slim")).isEqualTo("9");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private Socket connect() throws IOException {
        return new Socket(server.address().host(), server.address().port());
    }

    private String ask(String first) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(first.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    private static Optional<Path> haproxy() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, "haproxy"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Process start(Path haproxy) throws IOException {
        Path configuration = Files.writeString(directory.resolve("haproxy.cfg"), """
                global
                    stats socket %s mode 600 level admin
                defaults
                    mode tcp
                    timeout connect 1s
                    timeout client 5s
                    timeout server 5s
                listen ours
                    bind 127.0.0.1:%d
                    server s1 127.0.0.1:%d weight 100 check inter 100ms agent-check agent-inter 100ms agent-addr 127.0.0.1 agent-port %d
                """.formatted(
                socket(), freePort(), server.address().port(), server.address().port()));
        return new ProcessBuilder(haproxy.toString(), "-db", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("haproxy.log").toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private Path socket() {
        return directory.resolve("s");
    }

    /** A column of the server's line in HAProxy's statistics; empty while there is none. */
    private String column(String name) throws IOException {
        String[] lines = statistics().split("\n", -1);
        int index = List.of(lines[0].replaceFirst("^# ", "").split(",", -1)).indexOf(name);
        return Stream.of(lines)
                .filter(each -> each.startsWith("ours,s1,"))
                .map(each -> each.split(",", -1)[index])
                .findFirst()
                .orElse("");
    }

    private String statistics() throws IOException {
        var address = UnixDomainSocketAddress.of(socket());
        try (var channel = SocketChannel.open(address)) {
            channel.write(US_ASCII.encode("show stat\n"));
            return new String(Channels.newInputStream(channel).readAllBytes(), US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}
