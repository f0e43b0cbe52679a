// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

/** What {@link StorageBench} measures. */
enum Measure implements Metric {
    WRITE(Part.STREAM, "write", Unit.MEGABYTES),
    READ(Part.STREAM, "read", Unit.MEGABYTES),
    RANDOM_READ(Part.RANDOM, "random-read-4k", Unit.OPERATIONS),
    RANDOM_WRITE(Part.RANDOM, "random-write-4k", Unit.OPERATIONS),
    CREATE_1(Part.NAMES, "create/1", Unit.OPERATIONS),
    STAT_1(Part.NAMES, "stat/1", Unit.OPERATIONS),
    REMOVE_1(Part.NAMES, "remove/1", Unit.OPERATIONS),
    CREATE_4(Part.NAMES, "create/4", Unit.OPERATIONS),
    STAT_4(Part.NAMES, "stat/4", Unit.OPERATIONS),
    REMOVE_4(Part.NAMES, "remove/4", Unit.OPERATIONS),
    DEGRADED_READ(Part.DEGRADED, "degraded-read", Unit.MEGABYTES),
    CLIENT_WRITE(Part.CLIENT, "client-write", Unit.MEGABYTES),
    CLIENT_READ(Part.CLIENT, "client-read", Unit.MEGABYTES);

    /** What is measured in one go. */
    enum Part {
        /** A large file, written from start to end and read so. */
        STREAM,
        /** The same file in pieces. */
        RANDOM,
        /** Many empty files. */
        NAMES,
        /** Ours with a node killed. */
        DEGRADED,
        /** Ours with no mount between. */
        CLIENT
    }

    /** Of its figures. */
    enum Unit {
        MEGABYTES("MB/s"),
        OPERATIONS("/s");

        private final String text;

        Unit(String text) {
            this.text = text;
        }
    }

    private final Part part;
    private final String text;
    private final Unit unit;

    Measure(Part part, String text, Unit unit) {
        this.part = part;
        this.text = text;
        this.unit = unit;
    }

    Part part() {
        return part;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String unit() {
        return unit.text;
    }

    /** The figure of a run. */
    double of(Tally tally) {
        return unit == Unit.MEGABYTES ? tally.megabytesPerSecond() : tally.perSecond();
    }
}
