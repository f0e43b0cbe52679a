// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import java.util.List;
import java.util.Locale;

/**
 * The findings as a picture: one bar for each disturbance, its range over the pairs as a line on it, and the noise band
 * as a grey strip around zero.
 */
final class IncreaseChart {
    private static final int WIDTH = 640;
    private static final int LEFT = 230;
    private static final int RIGHT = 90;
    private static final int TOP = 60;
    private static final int ROW = 44;
    private static final int BAR = 22;

    private final Findings findings;
    private final double lowest;
    private final double highest;
    private final StringBuilder svg = new StringBuilder();

    private IncreaseChart(Findings findings) {
        this.findings = findings;
        this.lowest = Math.min(
                -findings.noisePercent(),
                findings.rows().stream()
                        .mapToDouble(Findings.Row::lowestPercent)
                        .min()
                        .orElse(0));
        this.highest = Math.max(
                1,
                Math.max(
                        findings.noisePercent(),
                        findings.rows().stream()
                                .mapToDouble(Findings.Row::highestPercent)
                                .max()
                                .orElse(0)));
    }

    /** The picture. */
    static String svg(Findings findings) {
        return new IncreaseChart(findings).draw();
    }

    private String draw() {
        List<Findings.Row> rows = findings.rows();
        int bottom = TOP + rows.size() * ROW;
        add(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"13\">",
                WIDTH,
                bottom + 40));
        add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        add("<text x=\"12\" y=\"26\" font-size=\"15\">Longer word count through a neighbour, percent</text>");
        add(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#dddddd\"/>",
                x(-findings.noisePercent()),
                TOP - 12,
                x(findings.noisePercent()) - x(-findings.noisePercent()),
                bottom - TOP + 12));
        for (int i = 0; i < rows.size(); i++) {
            row(rows.get(i), TOP + i * ROW);
        }
        add(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" x2=\"%1$.1f\" y1=\"%d\" y2=\"%d\" stroke=\"black\"/>",
                x(0),
                TOP - 12,
                bottom));
        add(String.format(
                Locale.ROOT,
                "<text x=\"12\" y=\"%d\" fill=\"#555555\">grey: how undisturbed windows vary, &#177;%.1f %%;"
                        + " line: lowest and highest pair</text>",
                bottom + 24,
                findings.noisePercent()));
        return svg.append("</svg>\n").toString();
    }

    private void row(Findings.Row row, int y) {
        double from = Math.min(x(0), x(row.increasePercent()));
        double length = Math.abs(x(row.increasePercent()) - x(0));
        int middle = y + BAR / 2;
        add(String.format(
                Locale.ROOT,
                "<text x=\"12\" y=\"%d\">%s</text>",
                middle + 4,
                row.disturbance().title()));
        add(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                from,
                y,
                length,
                BAR,
                row.beyondNoise() ? "#c0392b" : "#7f8c8d"));
        add(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%3$d\" stroke=\"black\"/>",
                x(row.lowestPercent()),
                x(row.highestPercent()),
                middle));
        add(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\">%+.1f %%</text>",
                WIDTH - RIGHT + 12,
                middle + 4,
                row.increasePercent()));
    }

    private double x(double percent) {
        return LEFT + (percent - lowest) / (highest - lowest) * (WIDTH - LEFT - RIGHT);
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }
}
