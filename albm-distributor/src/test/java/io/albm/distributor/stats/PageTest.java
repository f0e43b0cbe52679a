// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTest {
    private static String page(Row... rows) {
        return Page.of("lb-1", 90, List.of(rows));
    }

    private static Row backend(String id, String status, String state) {
        return new Row(Row.Type.BACKEND, "docs", id)
                .put(Column.STATUS, status)
                .put(Column.ALBM_STATE, state)
                .put(Column.LASTCHG, 75);
    }

    @Test
    void showsATableForEachFrontendAndPool() {
        String page = page(
                new Row(Row.Type.FRONTEND, "web", "FRONTEND").put(Column.STOT, 1_234_567),
                backend("b1", "UP", "up"),
                new Row(Row.Type.POOL, "docs", "BACKEND"));

        assertThat(page).contains("Statistics Report for lb-1", "uptime 1m30s", "http-equiv=\"refresh\"");
        assertThat(page.split("<th class=\"px\">", -1)).hasSize(3);
        assertThat(page).contains("1,234,567").doesNotContain("<script");
    }

    @ParameterizedTest
    @CsvSource({
        "UP, up, up, 1m15s UP",
        "NOLB, relieved, nolb, 1m15s NOLB (relieved)",
        "DOWN, ejected, down, 1m15s DOWN (ejected)",
        "UP, panic, panic, 1m15s UP (panic)",
        "UP, starting, starting, 1m15s UP (starting)",
        "DRAIN, draining, draining, 1m15s DRAIN</td>"
    })
    void coloursByStateAndSaysOurWordBesideHaproxys(String status, String state, String style, String text) {
        assertThat(page(backend("b1", status, state)))
                .contains("<tr class=\"" + style + "\"")
                .contains(text);
    }

    @Test
    void letsNoNameBecomeMarkup() {
        assertThat(page(backend("<b>&\"", "UP", "up"))).contains("&lt;b&gt;&amp;&quot;");
    }

    @ParameterizedTest
    @CsvSource({"59, 59s", "61, 1m1s", "3700, 1h1m", "90000, 1d1h"})
    void saysTimesInTheirTwoLargestUnits(long seconds, String text) {
        assertThat(Page.duration(seconds)).isEqualTo(text);
    }
}
