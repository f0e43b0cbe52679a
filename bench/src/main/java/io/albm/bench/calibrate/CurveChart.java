// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.config.CounterUnits;
import io.albm.core.node.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * One of paper P1's figures 1 to 3 from what was measured: goodput, latency and the counters against the load, one panel
 * above the other with a scale of its own, and the knee as a line through all of them.
 */
final class CurveChart {
    private static final int WIDTH = 720;
    private static final int PANEL = 110;
    private static final int LEFT = 110;
    private static final int RIGHT = 30;
    private static final int TOP = 60;
    private static final int GAP = 26;
    private static final double MICROS_PER_MILLI = 1e3;

    private final Curve curve;
    private final List<String> elements = new ArrayList<>();

    private CurveChart(Curve curve) {
        this.curve = curve;
    }

    /** The picture. */
    static String svg(Curve curve) {
        return new CurveChart(curve).draw();
    }

    /** What a panel shows. */
    private record Panel(String title, ToDoubleFunction<Step> value, DoubleFunction<String> text) {}

    private String draw() {
        List<Panel> panels = panels();
        int bottom = TOP + panels.size() * (PANEL + GAP);
        add(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH,
                bottom + 30));
        add(String.format(Locale.ROOT, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>"));
        add(String.format(
                Locale.ROOT,
                "<text x=\"12\" y=\"26\" font-size=\"15\">%s</text>",
                curve.experiment().figure()));
        curve.knee().ifPresent(knee -> knee(knee, bottom - GAP));
        for (int i = 0; i < panels.size(); i++) {
            panel(panels.get(i), TOP + i * (PANEL + GAP));
        }
        loads(bottom);
        add("</svg>");
        return String.join("\n", elements) + "\n";
    }

    private List<Panel> panels() {
        List<Panel> panels = new ArrayList<>();
        panels.add(new Panel("goodput, answers/s", Step::goodput, "%.0f"::formatted));
        panels.add(new Panel("p99, ms", CurveChart::p99Millis, "%.1f"::formatted));
        for (Counter counter : curve.experiment().counters()) {
            if (curve.steps().stream().allMatch(step -> step.counters().has(counter))) {
                panels.add(new Panel(
                        counter.label(),
                        step -> step.counters().value(counter),
                        value -> CounterUnits.rounded(counter, value)));
            }
        }
        return panels;
    }

    /** A step without answers has no latency. */
    private static double p99Millis(Step step) {
        return step.p99Micros() == 0 ? Double.NaN : step.p99Micros() / MICROS_PER_MILLI;
    }

    private void knee(int knee, int bottom) {
        double x = (x(knee) + x(knee + 1)) / 2;
        add(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" x2=\"%1$.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#c0392b\" stroke-dasharray=\"5 4\"/>",
                x,
                TOP - 14,
                bottom));
        add(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" fill=\"#c0392b\" text-anchor=\"middle\">knee</text>",
                x,
                TOP - 18));
    }

    private void panel(Panel panel, int top) {
        double most = curve.steps().stream()
                .mapToDouble(panel.value)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(0);
        int bottom = top + PANEL;
        add(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%3$d\" stroke=\"#999999\"/>",
                LEFT,
                WIDTH - RIGHT,
                bottom));
        add(String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" fill=\"#2c3e50\">%s</text>", LEFT, top - 4, panel.title));
        add(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
                LEFT - 8,
                top + 10,
                panel.text.apply(most)));
        add(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
                LEFT - 8,
                bottom,
                panel.text.apply(0)));
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < curve.steps().size(); i++) {
            double value = panel.value.applyAsDouble(curve.steps().get(i));
            double y = bottom - (most > 0 ? value / most : 0) * PANEL;
            points.append(Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y));
        }
        add(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#2980b9\" stroke-width=\"2\"/>",
                points.toString().strip()));
    }

    private void loads(int bottom) {
        for (int i = 0; i < curve.steps().size(); i++) {
            add(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                    x(i),
                    bottom - 4,
                    curve.steps().get(i).load()));
        }
        add(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2,
                bottom + 16,
                curve.experiment().load()));
    }

    /** Steps are evenly spaced: their loads grow by factors. */
    private double x(int step) {
        int gaps = Math.max(1, curve.steps().size() - 1);
        return LEFT + 10 + (double) step / gaps * (WIDTH - LEFT - RIGHT - 20);
    }

    private void add(String element) {
        elements.add(element);
    }
}
