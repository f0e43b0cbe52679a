// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class Figure4Test {
    private static final List<Cell> CELLS = List.of(
            new Cell("albm", 1, 1, 10, 5, 9, 0, 0),
            new Cell("haproxy leastconn", 1, 1, 10, 5, 9, 0, 0),
            new Cell("albm", 36, 1, 100, 5, 9, 0, 0),
            new Cell("haproxy leastconn", 36, 1, 50, 5, 9, 2, 1));

    @Test
    void hasALineForEachVariantAndDashesForRivals() throws Exception {
        String svg = Figure4.svg(new Measured(CELLS, Set.of("haproxy leastconn")));
        Document picture =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        var lines = picture.getElementsByTagName("polyline");
        assertThat(lines.getLength()).isEqualTo(2);
        assertThat(((Element) lines.item(0)).getAttribute("stroke-dasharray")).isEmpty();
        assertThat(((Element) lines.item(1)).getAttribute("stroke-dasharray")).isNotEmpty();
    }

    @Test
    void writesEveryRunAsALineOfValues() {
        assertThat(Cell.csv(CELLS).lines())
                .hasSize(5)
                .startsWith("variant,clients,round,goodput_per_second,p50_ms,p99_ms,late,failed")
                .endsWith("haproxy leastconn,36,1,50.00,5,9,2,1");
    }
}
