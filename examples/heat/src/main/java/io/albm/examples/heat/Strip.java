// SPDX-License-Identifier: Apache-2.0
package io.albm.examples.heat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * One rank's rows of a square plate, with a halo row above and below, by explicit finite differences. The plate's edge
 * keeps its temperature. Every cell comes from the same neighbours by the same expression whatever the number of ranks,
 * so the result is the same bit by bit.
 */
final class Strip {
    private static final double DIFFUSION = 0.2;

    private final int size;
    private final int first;
    private final int rows;
    private double[][] now;
    private double[][] next;
    private long step;

    Strip(int size, int rank, int ranks) {
        this.size = size;
        this.first = (int) ((long) rank * size / ranks);
        this.rows = (int) ((rank + 1L) * size / ranks) - first;
        this.now = new double[rows + 2][size];
        this.next = new double[rows + 2][size];
        for (int row = 1; row <= rows; row++) {
            for (int column = 0; column < size; column++) {
                now[row][column] = column == 0 ? 100 : ((first + row) * 31L + column * 17L) % 23;
            }
        }
    }

    long step() {
        return step;
    }

    void advance() {
        for (int row = 1; row <= rows; row++) {
            int plateRow = first + row - 1;
            boolean edge = plateRow == 0 || plateRow == size - 1;
            for (int column = 0; column < size; column++) {
                boolean fixed = edge || column == 0 || column == size - 1;
                next[row][column] = fixed ? now[row][column] : diffused(row, column);
            }
        }
        double[][] old = now;
        now = next;
        next = old;
        step++;
    }

    private double diffused(int row, int column) {
        double here = now[row][column];
        double around = now[row - 1][column] + now[row + 1][column] + now[row][column - 1] + now[row][column + 1];
        return here + DIFFUSION * (around - 4 * here);
    }

    void sendTop(DataOutputStream out) throws IOException {
        write(now[1], out);
        out.flush();
    }

    void sendBottom(DataOutputStream out) throws IOException {
        write(now[rows], out);
        out.flush();
    }

    void receiveAbove(DataInputStream in) throws IOException {
        read(now[0], in);
    }

    void receiveBelow(DataInputStream in) throws IOException {
        read(now[rows + 1], in);
    }

    void writeRows(DataOutputStream out) throws IOException {
        for (int row = 1; row <= rows; row++) {
            write(now[row], out);
        }
        out.flush();
    }

    void save(DataOutputStream out) throws IOException {
        out.writeLong(step);
        writeRows(out);
    }

    void restore(DataInputStream in) throws IOException {
        step = in.readLong();
        for (int row = 1; row <= rows; row++) {
            read(now[row], in);
        }
    }

    private static void write(double[] row, DataOutputStream out) throws IOException {
        for (double cell : row) {
            out.writeDouble(cell);
        }
    }

    private static void read(double[] row, DataInputStream in) throws IOException {
        for (int column = 0; column < row.length; column++) {
            row[column] = in.readDouble();
        }
    }
}
