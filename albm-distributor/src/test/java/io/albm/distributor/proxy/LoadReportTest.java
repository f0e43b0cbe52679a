// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What backends say of themselves in responses. */
class LoadReportTest {
    private static RawBackend.Script saying(String report) {
        return call ->
                call.reply("HTTP/1.1 200 OK\r\nEndpoint-Load-Metrics: " + report + "\r\nContent-Length: 2\r\n\r\nok");
    }

    private static HttpResponse<String> get(ProxyHarness harness) throws Exception {
        return harness.http.send(
                HttpRequest.newBuilder(harness.uri("/")).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aReportIsForTheDistributorAlone() throws Exception {
        try (var backend = new RawBackend(saying("TEXT cpu_utilization=0.3,rps_fractional=40"));
                var harness = new ProxyHarness(backend)) {
            HttpResponse<String> response = get(harness);

            assertThat(response.body()).isEqualTo("ok");
            assertThat(response.headers().map()).doesNotContainKey("endpoint-load-metrics");
            assertThat(harness.directory
                            .backends()
                            .getFirst()
                            .load()
                            .saidWithin(TimeUnit.MINUTES.toNanos(1), System.nanoTime()))
                    .isTrue();
            assertThat(harness.count("malformed_load_reports_total")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu=1", "TEXT cpu_utilization=x", "TEXT a=1\r\nEndpoint-Load-Metrics: TEXT a=1", ""})
    void aReportThatCannotBeReadIsCountedAndTheResponseGoesOn(String report) throws Exception {
        try (var backend = new RawBackend(saying(report));
                var harness = new ProxyHarness(backend)) {
            assertThat(get(harness).body()).isEqualTo("ok");
            assertThat(harness.count("malformed_load_reports_total")).isEqualTo(1);
        }
    }
}
