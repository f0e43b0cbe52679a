// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.util.Optional;

/**
 * A column of bonnie++'s table, with what paper P5 has there. The paper's columns that go character by character say
 * what a processor of 2003 takes for a character, and are not here.
 */
enum BonnieMetric implements Metric {
    WRITE("block write", Unit.KIBIBYTES, 11, 25_804, 7_745, 23_761),
    REWRITE("rewrite", Unit.KIBIBYTES, 13, 5_100, 4_042, 7_093),
    READ("block read", Unit.KIBIBYTES, 17, 30_239, 14_264, 24_344),
    SEEKS("random seeks", Unit.OPERATIONS, 19, 131.2, 138.6, 78.6),
    CREATE("sequential create", Unit.OPERATIONS, 26, 173, 116, 21),
    DELETE("sequential delete", Unit.OPERATIONS, 30, 2_884, 579, 779),
    RANDOM_CREATE("random create", Unit.OPERATIONS, 32, 176, 122, 21),
    RANDOM_DELETE("random delete", Unit.OPERATIONS, 36, 538, 72, 185);

    private enum Unit {
        KIBIBYTES("KiB/s"),
        OPERATIONS("/s");

        private final String text;

        Unit(String text) {
            this.text = text;
        }
    }

    private static final String TOO_FAST = "+";

    private final String text;
    private final Unit unit;
    private final int field;
    private final double ext3;
    private final double nfs;
    private final double pvfs;

    /**
     * @param field of its line of comma-separated values
     */
    BonnieMetric(String text, Unit unit, int field, double ext3, double nfs, double pvfs) {
        this.text = text;
        this.unit = unit;
        this.field = field;
        this.ext3 = ext3;
        this.nfs = nfs;
        this.pvfs = pvfs;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String unit() {
        return unit.text;
    }

    /** What the paper measured on the local disk. */
    double paperDisk() {
        return ext3;
    }

    /** What the paper measured through NFS. */
    double paperNfs() {
        return nfs;
    }

    /** What the paper measured through its striped file system. */
    double paperPvfs() {
        return pvfs;
    }

    /**
     * From the fields of a run.
     *
     * @return nothing if it took less than the half second that bonnie++ asks for to tell a rate
     */
    Optional<Double> of(String[] fields) {
        String value = fields[field].strip();
        return value.isEmpty() || value.startsWith(TOO_FAST) ? Optional.empty() : Optional.of(Double.valueOf(value));
    }
}
