// SPDX-License-Identifier: Apache-2.0
package io.albm.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.web.EventStream;
import io.albm.core.web.WebServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, whose connection says nothing more and does not end. */
class SilentConnectionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Without news the page bears it once, not twice. */
    private static final Duration MUCH = Duration.ofSeconds(10);

    @TempDir
    private Path dir;

    @Test
    void thePageIsNotLiveWithoutNewsAndConnectsAgain() throws Exception {
        assumeTrue(Chromium.executable().isPresent(), "chromium is not installed: .ci/install does that");
        try (Transport transport = Transport.open(1);
                EventStream pages = new EventStream(2);
                WebServer server = new WebServer(transport, new NodeAddress("127.0.0.1", 0), PageFiles.HEADERS)) {
            PageFiles.serve(server);
            server.routeEvents("/events", pages);
            pages.publish(state("first"));
            try (Chromium browser = new Chromium(dir, "http://" + server.address() + "/")) {
                await().atMost(PATIENCE).until(() -> browser.text().contains("live"));
                browser.evaluate("""
                        seen = [];
                        link = document.getElementById('link');
                        new MutationObserver(() => seen.push(link.textContent)).observe(link, {childList: true});
                        """);

                for (String name : List.of("second", "third")) {
                    pages.publish(state(name));
                    await().atMost(PATIENCE).until(() -> browser.text().contains(name));
                    leap(browser, MUCH);
                }
                await().pollDelay(Duration.ofMillis(1500))
                        .until(() -> seen(browser).isEmpty());
                leap(browser, MUCH);
                await().atMost(PATIENCE).until(() -> seen(browser).contains("live"));
                assertThat(seen(browser)).isEqualTo("connection lost, trying again;live");
                assertThat(pages.followers()).isEqualTo(1);
            }
        }
    }

    private static String state(String cluster) {
        return "{\"cluster\":\"" + cluster + "\",\"reachable\":true,\"healthy\":true,\"processes\":[],\"counters\":[]}";
    }

    /** Lets time pass for the page. */
    private static void leap(Chromium browser, Duration by) {
        browser.evaluate(
                "(() => { const before = performance.now.bind(performance); performance.now = () => before() + "
                        + by.toMillis() + "; })()");
    }

    /** What the page has said of its connection since it was live. */
    private static String seen(Chromium browser) {
        return browser.evaluate("seen.join(';')");
    }
}
