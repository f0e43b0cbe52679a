// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shares side by side: a group of bars for each thing that was measured, a bar of its own colour for each contender. */
public final class BarChart {
    private static final int WIDTH = 980;
    private static final int HEIGHT = 420;
    private static final int LEFT = 60;
    private static final int RIGHT = 180;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;
    private static final int LEGEND_LINE = 20;
    private static final int GRID_LINES = 5;
    private static final double GROUP_FILL = 0.85;
    private static final List<String> COLOURS =
            List.of("#c0392b", "#2980b9", "#8e44ad", "#e67e22", "#7f8c8d", "#bdc3c7", "#16a085", "#2c3e50");

    private final List<Bars> contenders;
    private final List<String> groups;
    private final double most;
    private final List<String> elements = new ArrayList<>();

    /**
     * A contender.
     *
     * @param values by what was measured; what is missing has no bar
     */
    public record Bars(String name, Map<String, Double> values) {}

    private BarChart(List<Bars> contenders) {
        this.contenders = contenders;
        groups = contenders.stream()
                .flatMap(bars -> bars.values().keySet().stream())
                .distinct()
                .toList();
        most = contenders.stream()
                .flatMap(bars -> bars.values().values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
    }

    /** The picture. */
    public static String svg(String title, List<Bars> contenders) {
        return new BarChart(contenders).draw(title);
    }

    private String draw(String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH, HEIGHT);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add("<text x=\"%d\" y=\"26\" font-size=\"15\">%s</text>", LEFT, title);
        grid();
        for (int i = 0; i < contenders.size(); i++) {
            bars(i);
        }
        add("</svg>");
        return String.join("\n", elements) + "\n";
    }

    private void grid() {
        for (int i = 0; i <= GRID_LINES; i++) {
            double value = most * i / GRID_LINES;
            double y = HEIGHT - BOTTOM - height(value);
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/>", LEFT, WIDTH - RIGHT, y);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>", LEFT - 8, y + 4, value);
        }
        for (int group = 0; group < groups.size(); group++) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"10\">%s</text>",
                    LEFT + (group + 0.5) * groupWidth(), HEIGHT - BOTTOM + 20, groups.get(group));
        }
    }

    private void bars(int index) {
        Bars bars = contenders.get(index);
        String colour = COLOURS.get(index % COLOURS.size());
        double width = groupWidth() * GROUP_FILL / contenders.size();
        for (int group = 0; group < groups.size(); group++) {
            Double value = bars.values().get(groups.get(group));
            if (value != null) {
                double height = height(value);
                add(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                        LEFT + group * groupWidth() + index * width, HEIGHT - BOTTOM - height, width, height, colour);
            }
        }
        int legend = TOP + index * LEGEND_LINE;
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>",
                WIDTH - RIGHT + 14, legend - 10, colour);
        add("<text x=\"%d\" y=\"%d\">%s</text>", WIDTH - RIGHT + 32, legend, bars.name());
    }

    private double groupWidth() {
        return (double) (WIDTH - LEFT - RIGHT) / Math.max(1, groups.size());
    }

    private double height(double value) {
        return (most > 0 ? value / most : 0) * (HEIGHT - TOP - BOTTOM);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void add(String format, Object... arguments) {
        elements.add(String.format(Locale.ROOT, format, arguments));
    }
}
