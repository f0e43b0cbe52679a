// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/** Paper P1's figure 4 from what was measured: goodput against clients, a line for each variant, rivals dashed. */
final class Figure4 {
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

    private final Measured measured;
    private final int mostClients;
    private final double mostGoodput;
    private final List<String> elements = new ArrayList<>();

    private Figure4(Measured measured) {
        this.measured = measured;
        this.mostClients = measured.highestLoad();
        this.mostGoodput = Math.max(1, measured.highestGoodput());
    }

    /** The picture. */
    static String svg(Measured measured) {
        return new Figure4(measured).draw();
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH, HEIGHT);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add("<text x=\"%d\" y=\"26\" font-size=\"15\">Requests a second answered within 4 s, by clients</text>", LEFT);
        grid();
        List<String> variants = measured.variants();
        for (int i = 0; i < variants.size(); i++) {
            line(variants.get(i), COLOURS.get(i % COLOURS.size()), i);
        }
        add("</svg>");
        return String.join("\n", elements) + "\n";
    }

    private void grid() {
        for (int i = 0; i <= GRID_LINES; i++) {
            double goodput = mostGoodput * i / GRID_LINES;
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/>",
                    LEFT, WIDTH - RIGHT, y(goodput));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>", LEFT - 8, y(goodput) + 4, goodput);
        }
        for (int clients : measured.loads()) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                    x(clients), HEIGHT - BOTTOM + 20, clients);
        }
    }

    private void line(String variant, String colour, int index) {
        SortedMap<Integer, Double> goodput = measured.goodputByClients(variant);
        StringBuilder points = new StringBuilder();
        goodput.forEach(
                (clients, value) -> points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(clients), y(value))));
        String dashes = measured.isRival(variant) ? " stroke-dasharray=\"6 4\"" : "";
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                points.toString().strip(), colour, dashes);
        int legend = TOP + index * LEGEND_LINE;
        add(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%3$d\" stroke=\"%4$s\" stroke-width=\"2\"%5$s/>",
                WIDTH - RIGHT + 14, WIDTH - RIGHT + 44, legend, colour, dashes);
        add("<text x=\"%d\" y=\"%d\">%s</text>", WIDTH - RIGHT + 50, legend + 4, variant);
    }

    private double x(int clients) {
        return LEFT + (double) clients / mostClients * (WIDTH - LEFT - RIGHT);
    }

    private double y(double goodput) {
        return HEIGHT - BOTTOM - goodput / mostGoodput * (HEIGHT - TOP - BOTTOM);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void add(String format, Object... arguments) {
        elements.add(String.format(Locale.ROOT, format, arguments));
    }
}
