// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

/** What {@link RebuildBench} measures. */
enum RebuildMeasure implements Metric {
    /** What comes to the new disk, and what the disk takes of somebody who writes one file. */
    SPEED("rebuild"),
    /** What somebody who writes and reads a file gets during a rebuild, and without one. */
    FOREGROUND("foreground");

    /** The disk itself, in the same round. */
    static final String DISK = "disk";

    /** Our mount while nothing is made again. */
    static final String NO_REBUILD = "albm with no rebuild";

    private final String text;

    RebuildMeasure(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String unit() {
        return "MB/s";
    }
}
