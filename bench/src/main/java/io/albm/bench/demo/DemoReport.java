// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.albm.bench.load.LoadReport;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The demo's last word.
 *
 * @param evidence what was seen
 * @param checks what it means
 * @param seconds from the start to the end
 */
record DemoReport(Evidence evidence, List<Check> checks, long seconds) {
    static DemoReport of(Evidence evidence, long seconds) {
        return new DemoReport(evidence, Check.all(evidence), seconds);
    }

    boolean allHold() {
        return checks.stream().allMatch(Check::ok);
    }

    /** The checks that do not hold with what was seen instead, in one line; empty if all do. */
    String broken() {
        return checks.stream()
                .filter(check -> !check.ok())
                .map(check -> "%s (%s)".formatted(check.name(), check.detail()))
                .collect(Collectors.joining(", "));
    }

    String table(Ansi ansi) {
        LoadReport load = evidence.load();
        Table figures = Table.of("FIGURE", "VALUE")
                .row("requests", "%,d".formatted(load.requests()))
                .row("failures", "%,d".formatted(load.failed() + load.wrongBodies()))
                .row("latency p50", millis(load.p50Micros()))
                .row("latency p99", millis(load.p99Micros()))
                .row("checkpoints", evidence.job().checkpoints())
                .row("rollback", evidence.job().longestRollbackMillis() + " ms")
                .row("rebuild", evidence.rebuild().millis() + " ms")
                .row("whole demo", seconds + " s");
        Table verdicts = Table.of("CHECK", "", "SEEN");
        for (Check check : checks) {
            verdicts.row(check.name(), check.ok() ? ansi.green("holds") : ansi.red("BROKEN"), check.detail());
        }
        return figures.render(ansi) + "\n" + verdicts.render(ansi);
    }

    private static String millis(long micros) {
        return "%.1f ms".formatted(micros / 1000.0);
    }

    ObjectNode json() {
        LoadReport load = evidence.load();
        ObjectNode json = Json.object()
                .put("ok", allHold())
                .put("requests", load.requests())
                .put("failures", load.failed() + load.wrongBodies())
                .put("p50Micros", load.p50Micros())
                .put("p99Micros", load.p99Micros())
                .put("checkpoints", evidence.job().checkpoints())
                .put("rollbackMillis", evidence.job().longestRollbackMillis())
                .put("rebuildMillis", evidence.rebuild().millis())
                .put("seconds", seconds);
        ArrayNode array = json.putArray("checks");
        for (Check check : checks) {
            array.addObject().put("name", check.name()).put("ok", check.ok()).put("detail", check.detail());
        }
        return json;
    }
}
