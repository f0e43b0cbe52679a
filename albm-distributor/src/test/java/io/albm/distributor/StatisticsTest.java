// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.NodeAddress;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.distributor.proxy.RawBackend;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statistics as tools made for HAProxy read them. */
class StatisticsTest {
    private static final String BODY = "hello";
    private static final Duration SLOW = Duration.ofMillis(60);

    @TempDir
    private Path dir;

    private EmbeddedZooKeeper zooKeeper;
    private RunningDistributor distributor;
    private final RawBackend good = new RawBackend(StatisticsTest::answer);
    private final RawBackend mortal = new RawBackend(StatisticsTest::answer);
    private final HttpClient http = HttpClient.newHttpClient();

    StatisticsTest() throws IOException {}

    private static void answer(RawBackend.Call call) throws IOException {
        if (call.target().equals("/slow")) {
            LockSupport.parkNanos(SLOW.toNanos());
        }
        String status = call.target().equals("/bad") ? "404 Not Found" : "200 OK";
        call.reply("HTTP/1.1 " + status + "\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY);
    }

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), new NodeAddress("127.0.0.1", 0));
        distributor = new RunningDistributor(
                ZooKeeperCluster.connect(zooKeeper.address().toString(), "rack"),
                dir,
                Map.of(
                        "backends", good.address() + "," + mortal.address(),
                        "policy", "round-robin",
                        "max-backend-connections", "16",
                        "queue-size", "32"));
    }

    @AfterEach
    void stop() throws Exception {
        http.close();
        distributor.close();
        good.close();
        mortal.close();
        zooKeeper.close();
    }

    private void get(String path) throws Exception {
        http.send(
                HttpRequest.newBuilder(distributor.http.resolve(path)).build(), HttpResponse.BodyHandlers.discarding());
    }

    private String admin(String path) throws IOException {
        try (InputStream in = URI.create("http://" + distributor.admin.address() + path)
                .toURL()
                .openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Rows by proxy and server, cells by the header's names: how every such tool reads it. */
    private Map<String, Map<String, String>> csv() throws IOException {
        List<String> lines = admin("/stats;csv").lines().toList();
        assertThat(lines.getFirst()).startsWith("# pxname,svname,");
        String[] names = lines.getFirst().substring(2).split(",", -1);
        var rows = new HashMap<String, Map<String, String>>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            assertThat(cells).as(line).hasSameSizeAs(names);
            var row = new HashMap<String, String>();
            for (int i = 0; i < names.length; i++) {
                row.put(names[i], cells[i]);
            }
            rows.put(row.get("pxname") + "/" + row.get("svname"), row);
        }
        return rows;
    }

    private String of(RawBackend backend) {
        return "main/" + backend.address();
    }

    /** Empty if there is no such row. */
    private static String cell(Map<String, Map<String, String>> rows, String row, String column) {
        return rows.getOrDefault(row, Map.of()).getOrDefault(column, "");
    }

    private boolean isUp(RawBackend backend) throws IOException {
        return cell(csv(), of(backend), "check_status").equals("L7OK");
    }

    @Test
    void aToolMadeForHaproxyReadsWhatHasGoneThrough() throws Exception {
        await().until(() -> isUp(good) && isUp(mortal));
        for (int i = 0; i < 10; i++) {
            get("/good");
        }
        get("/bad");
        Map<String, Map<String, String>> rows = csv();

        assertThat(rows).containsOnlyKeys("main/FRONTEND", of(good), of(mortal), "main/BACKEND");
        assertThat(rows.get("main/FRONTEND"))
                .containsEntry("status", "OPEN")
                .containsEntry("type", "0")
                .containsEntry("mode", "http")
                .containsEntry("req_tot", "11")
                .containsEntry("hrsp_2xx", "10")
                .containsEntry("hrsp_4xx", "1")
                .containsEntry("qcur", "");
        assertThat(rows.get("main/BACKEND"))
                .containsEntry("status", "UP")
                .containsEntry("type", "1")
                .containsEntry("act", "2")
                .containsEntry("lbtot", "11")
                .containsEntry("hrsp_2xx", "10")
                .containsEntry("qlimit", "32")
                .containsEntry("algo", "round-robin");
        assertThat(rows.get(of(good)))
                .containsEntry("status", "UP")
                .containsEntry("type", "2")
                .containsEntry("slim", "16")
                .containsEntry("scur", "0")
                .containsEntry("albm_state", "up")
                .containsEntry("addr", good.address().toString());
        assertThat(number(rows, of(good), "stot") + number(rows, of(mortal), "stot"))
                .isEqualTo(11);
        assertThat(number(rows, "main/BACKEND", "bout"))
                .isEqualTo(number(rows, of(good), "bout") + number(rows, of(mortal), "bout"))
                .isGreaterThan(11L * BODY.length());
        assertThat(number(rows, "main/FRONTEND", "bin")).isPositive();
        assertThat(number(rows, "main/FRONTEND", "stot")).isPositive();
    }

    @Test
    void showsHowLongRequestsTakeOnAverage() throws Exception {
        await().until(() -> isUp(good) && isUp(mortal));
        get("/slow");
        get("/slow");

        for (String row : List.of(of(good), of(mortal), "main/BACKEND")) {
            await().until(() -> number(csv(), row, "rtime") >= SLOW.toMillis() / 2);
            Map<String, Map<String, String>> rows = csv();
            assertThat(number(rows, row, "ttime")).isGreaterThanOrEqualTo(number(rows, row, "rtime"));
            assertThat(number(rows, row, "qtime")).isZero();
            assertThat(number(rows, row, "ctime")).isLessThan(number(rows, row, "ttime"));
        }
    }

    private static long number(Map<String, Map<String, String>> rows, String row, String column) {
        return Long.parseLong(cell(rows, row, column));
    }

    @Test
    void aBackendThatDiesIsDownWithItsErrorsAndDowntimes() throws Exception {
        await().until(() -> isUp(mortal));
        mortal.kill();
        await().until(() -> cell(csv(), of(mortal), "status").equals("DOWN"));

        assertThat(csv().get(of(mortal)))
                .containsEntry("check_status", "L4CON")
                .containsEntry("chkdown", "1")
                .containsEntry("albm_state", "down");
        assertThat(number(csv(), of(mortal), "chkfail")).isPositive();
        assertThat(csv().get("main/BACKEND")).containsEntry("act", "1").containsEntry("status", "UP");
    }

    @Test
    void thePageTheJsonAndTheMetersSayTheSame() throws Exception {
        await().until(() -> isUp(good) && isUp(mortal));
        get("/good");

        assertThat(admin("/stats"))
                .contains("Statistics Report for distributor-1", good.address().toString());
        assertThat(admin("/stats;csv;norefresh")).startsWith("# pxname");
        var names = new ArrayList<String>();
        distributor
                .admin("/stats;json")
                .forEach(row -> names.add(row.get("svname").asText()));
        assertThat(names).contains("FRONTEND", "BACKEND", good.address().toString());
        assertThat(admin("/metrics"))
                .contains("albm_frontend_http_responses_total{code=\"2xx\",frontend=\"main\"} 1.0")
                .contains("albm_pool_http_responses_total{code=\"2xx\",pool=\"main\"} 1.0")
                .contains("albm_backend_limit_sessions{backend=\"" + good.address() + "\",pool=\"main\"} 16.0")
                .doesNotContain("NaN");
        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .getAttribute(
                                new ObjectName("io.albm:type=Distributor,id=distributor-1"),
                                "albm_pool_active_backends{pool=\"main\"}"))
                .isEqualTo(2.0);
    }
}
