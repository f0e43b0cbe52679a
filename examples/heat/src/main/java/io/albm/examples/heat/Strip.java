// SPDX-License-Identifier: Apache-2.0
package io.albm.examples.heat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * One rank's rows of a square plate, 1 to {@link #rows}, between one halo row above and one below, by explicit finite
 * differences. The plate's edge keeps its temperature. Every cell comes from the same neighbours by the same expression
 * whatever the number of ranks, so the result is the same bit by bit.
 */
final class Strip {
    private static final double DIFFUSION = 0.2;

    private final int size;
    private final int first;
    private final int rows;
    private double[] now;
    private double[] next;
    private long step;

    Strip(int size, int rank, int ranks) {
        this.size = size;
        this.first = (int) ((long) rank * size / ranks);
        this.rows = (int) ((rank + 1L) * size / ranks) - first;
        this.now = new double[(rows + 2) * size];
        this.next = new double[(rows + 2) * size];
        for (int cell = size; cell < (rows + 1) * size; cell++) {
            int column = cell % size;
            now[cell] = column == 0 ? 100 : ((first + cell / size) * 31L + column * 17L) % 23;
        }
    }

    int rows() {
        return rows;
    }

    long step() {
        return step;
    }

    void advance() {
        for (int cell = size; cell < (rows + 1) * size; cell++) {
            next[cell] = isEdge(first + cell / size - 1, cell % size) ? now[cell] : diffused(cell);
        }
        double[] old = now;
        now = next;
        next = old;
        step++;
    }

    private boolean isEdge(int plateRow, int column) {
        return plateRow == 0 || plateRow == size - 1 || column == 0 || column == size - 1;
    }

    private double diffused(int cell) {
        double around = now[cell - size] + now[cell + size] + now[cell - 1] + now[cell + 1];
        return now[cell] + DIFFUSION * (around - 4 * now[cell]);
    }

    void write(int from, int count, DataOutputStream out) throws IOException {
        for (int cell = from * size; cell < (from + count) * size; cell++) {
            out.writeDouble(now[cell]);
        }
        out.flush();
    }

    void read(int from, int count, DataInputStream in) throws IOException {
        for (int cell = from * size; cell < (from + count) * size; cell++) {
            now[cell] = in.readDouble();
        }
    }

    void save(DataOutputStream out) throws IOException {
        out.writeLong(step);
        write(1, rows, out);
    }

    void restore(DataInputStream in) throws IOException {
        step = in.readLong();
        read(1, rows, in);
    }
}
