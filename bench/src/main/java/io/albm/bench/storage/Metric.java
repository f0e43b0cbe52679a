// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

/** Something that is measured in rounds; more is better. */
interface Metric {
    /** As in the report. */
    String text();

    /** As in the report. */
    String unit();
}
