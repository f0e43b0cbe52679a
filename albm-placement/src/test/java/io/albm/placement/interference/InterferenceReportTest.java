// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InterferenceReportTest {
    private static final InterferenceReport REPORT = InterferenceReport.of(
            ExperimentSettings.quick(),
            List.of(
                    new WindowPair(Disturbance.OVERFLOWS, window(100), window(138)),
                    new WindowPair(Disturbance.FITS, window(101), window(100))));

    @TempDir
    Path directory;

    @Test
    void jsonHoldsFindingsAndEveryWindow() throws IOException {
        REPORT.write(directory);
        JsonNode json = Json.tree(Files.readString(directory.resolve("result.json")));
        assertThat(json.at("/findings/rows/1/disturbance").asText()).isEqualTo("OVERFLOWS");
        assertThat(json.at("/findings/rows/1/increasePercent").asDouble()).isBetween(37.9, 38.1);
        assertThat(json.at("/pairs/0/disturbed/countMillis").asDouble()).isEqualTo(138);
    }

    @Test
    void csvHasALineForEachWindow() {
        assertThat(REPORT.csv().lines())
                .hasSize(1 + 4)
                .contains(
                        "1,overflows,false,100.000,5.0,1.0,0.250,1024", "1,overflows,true,138.000,5.0,1.0,0.250,1024");
    }

    @Test
    void theChartIsWellFormedAndShowsEachDisturbance() throws Exception {
        REPORT.write(directory);
        var svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(directory.resolve("chart.svg").toFile());
        assertThat(svg.getDocumentElement().getTextContent())
                .contains(Disturbance.OVERFLOWS.title(), Disturbance.FITS.title(), "+38.0 %");
    }

    private static Window window(double countMillis) {
        return new Window(countMillis, 5, 1, 0.25, 1024);
    }
}
