// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One line of the statistics: what is known, by column. Made and read by one thread. */
public final class Row {
    /** What a line is about, by HAProxy's number. */
    public enum Type {
        FRONTEND,
        POOL,
        BACKEND
    }

    private final Type type;
    private final Map<Column, Object> cells = new EnumMap<>(Column.class);

    /**
     * A line that says only what it is about.
     *
     * @param owner the frontend or pool
     * @param name of the backend; for others {@code FRONTEND} or {@code BACKEND}
     */
    public Row(Type type, String owner, String name) {
        this.type = type;
        put(Column.PXNAME, owner);
        put(Column.SVNAME, name);
        put(Column.PID, 1);
        put(
                Column.TYPE,
                switch (type) {
                    case FRONTEND -> 0;
                    case POOL -> 1;
                    case BACKEND -> 2;
                });
    }

    /** Sets a cell; null leaves it empty. */
    public Row put(Column column, @Nullable Object value) {
        if (value != null) {
            cells.put(column, value);
        }
        return this;
    }

    public Type type() {
        return type;
    }

    /** The cell's text; empty if nothing is known. */
    public String text(Column column) {
        Object value = cells.get(column);
        return value == null ? "" : value.toString();
    }

    /** The cell's number, if it is one. */
    public OptionalDouble number(Column column) {
        return cells.get(column) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    /** What is known, by the columns' names, in their order. */
    public Map<String, Object> known() {
        var known = new LinkedHashMap<String, Object>();
        cells.forEach((column, value) -> known.put(column.header(), value));
        return known;
    }
}
