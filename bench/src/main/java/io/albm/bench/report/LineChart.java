// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/** A figure as the papers have them: something against the load, a line for each contender, rivals dashed. */
public final class LineChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 60;
    private static final int RIGHT = 240;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;
    private static final int LEGEND_LINE = 20;
    private static final int GRID_LINES = 5;
    private static final List<String> COLOURS =
            List.of("#7f8c8d", "#2980b9", "#e67e22", "#c0392b", "#8e44ad", "#16a085", "#2c3e50", "#d35400", "#27ae60");

    private final String title;
    private final List<Line> lines;
    private final List<Integer> loads;
    private final double most;
    private final List<String> elements = new ArrayList<>();

    /**
     * A contender's line.
     *
     * @param points value by load
     */
    public record Line(String name, boolean dashed, SortedMap<Integer, Double> points) {}

    private LineChart(String title, List<Line> lines) {
        this.title = title;
        this.lines = lines;
        this.loads = lines.stream()
                .map(line -> line.points().keySet())
                .flatMap(Collection::stream)
                .distinct()
                .sorted()
                .toList();
        this.most = lines.stream()
                .map(line -> line.points().values())
                .flatMap(Collection::stream)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
    }

    /** The picture. */
    public static String svg(String title, List<Line> lines) {
        return new LineChart(title, lines).draw();
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH, HEIGHT);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add("<text x=\"%d\" y=\"26\" font-size=\"15\">%s</text>", LEFT, title);
        grid();
        for (int i = 0; i < lines.size(); i++) {
            line(lines.get(i), COLOURS.get(i % COLOURS.size()), i);
        }
        add("</svg>");
        return String.join("\n", elements) + "\n";
    }

    private void grid() {
        for (int i = 0; i <= GRID_LINES; i++) {
            double value = most * i / GRID_LINES;
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/>",
                    LEFT, WIDTH - RIGHT, y(value));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>", LEFT - 8, y(value) + 4, value);
        }
        for (int load : loads) {
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>", x(load), HEIGHT - BOTTOM + 20, load);
        }
    }

    private void line(Line line, String colour, int index) {
        StringBuilder points = new StringBuilder();
        line.points()
                .forEach((load, value) -> points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(load), y(value))));
        String dashes = line.dashed() ? " stroke-dasharray=\"6 4\"" : "";
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                points.toString().strip(), colour, dashes);
        int legend = TOP + index * LEGEND_LINE;
        add(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%3$d\" stroke=\"%4$s\" stroke-width=\"2\"%5$s/>",
                WIDTH - RIGHT + 14, WIDTH - RIGHT + 44, legend, colour, dashes);
        add("<text x=\"%d\" y=\"%d\">%s</text>", WIDTH - RIGHT + 50, legend + 4, line.name());
    }

    private double x(int load) {
        double range = Math.max(1, loads.getLast() - loads.getFirst());
        return LEFT + 10 + (load - loads.getFirst()) / range * (WIDTH - LEFT - RIGHT - 20);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (most > 0 ? value / most : 0) * (HEIGHT - TOP - BOTTOM);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void add(String format, Object... arguments) {
        elements.add(String.format(Locale.ROOT, format, arguments));
    }
}
