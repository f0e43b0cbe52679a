// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class LineChartTest {
    @Test
    void hasALineForEachVariantAndDashesForRivals() throws Exception {
        String svg = LineChart.svg("goodput", List.of(line("albm", false), line("haproxy", true)));
        Document picture =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        var lines = picture.getElementsByTagName("polyline");
        assertThat(lines.getLength()).isEqualTo(2);
        assertThat(((Element) lines.item(0)).getAttribute("stroke-dasharray")).isEmpty();
        assertThat(((Element) lines.item(1)).getAttribute("stroke-dasharray")).isNotEmpty();
    }

    @Test
    void oneLoadIsNoDivisionByZero() {
        assertThat(LineChart.svg(
                        "goodput", List.of(new LineChart.Line("albm", false, new TreeMap<>(Map.of(400, 0.0))))))
                .doesNotContain("NaN");
    }

    private static LineChart.Line line(String name, boolean dashed) {
        return new LineChart.Line(name, dashed, new TreeMap<>(Map.of(1, 10.0, 36, 100.0)));
    }
}
