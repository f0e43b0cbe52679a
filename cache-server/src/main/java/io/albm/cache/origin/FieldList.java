// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/** Header fields that are kept. Immutable. */
public final class FieldList implements Fields {

    /** No fields. */
    public static final FieldList EMPTY = new FieldList(List.of());

    private record Line(String name, String value) {}

    private final List<Line> lines;

    private FieldList(List<Line> lines) {
        this.lines = lines;
    }

    /** Fields from names and values in turn. */
    public static FieldList of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a name without a value: " + namesAndValues[namesAndValues.length - 1]);
        }
        List<Line> lines = new ArrayList<>(namesAndValues.length / 2);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            lines.add(new Line(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new FieldList(lines);
    }

    /** A copy of any fields. */
    public static FieldList copyOf(Fields fields) {
        if (fields instanceof FieldList list) {
            return list;
        }
        List<Line> lines = new ArrayList<>();
        fields.forEach((name, value) -> lines.add(new Line(name, value)));
        return new FieldList(lines);
    }

    @Override
    public List<String> all(String name) {
        List<String> values = List.of();
        for (Line line : lines) {
            if (line.name.equalsIgnoreCase(name)) {
                values = values.isEmpty() ? new ArrayList<>(1) : values;
                values.add(line.value);
            }
        }
        return values;
    }

    @Override
    public boolean has(String name) {
        return lines.stream().anyMatch(line -> line.name.equalsIgnoreCase(name));
    }

    @Override
    public void forEach(BiConsumer<String, String> each) {
        lines.forEach(line -> each.accept(line.name, line.value));
    }

    /** These fields without those whose name is dropped. */
    public FieldList without(Predicate<String> dropped) {
        return new FieldList(
                lines.stream().filter(line -> !dropped.test(line.name)).toList());
    }

    /** These fields with other values. */
    FieldList mapped(BinaryOperator<String> value) {
        return new FieldList(lines.stream()
                .map(line -> new Line(line.name, value.apply(line.name, line.value)))
                .toList());
    }

    /** These fields and one more line. */
    public FieldList plus(String name, String value) {
        List<Line> all = new ArrayList<>(lines.size() + 1);
        all.addAll(lines);
        all.add(new Line(name, value));
        return new FieldList(all);
    }

    /** These fields and those. */
    public FieldList plus(FieldList others) {
        List<Line> all = new ArrayList<>(lines.size() + others.lines.size());
        all.addAll(lines);
        all.addAll(others.lines);
        return new FieldList(all);
    }

    /** These fields with one line of that name, in place of any others. */
    public FieldList with(String name, String value) {
        return without(name::equalsIgnoreCase).plus(name, value);
    }

    /** How many lines. */
    int count() {
        return lines.size();
    }

    /** Bytes of these fields as lines of HTTP/1.1. */
    public long bytes() {
        return lines.stream()
                .mapToLong(line -> line.name.length() + line.value.length() + 4L)
                .sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldList that && lines.equals(that.lines);
    }

    @Override
    public int hashCode() {
        return lines.hashCode();
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}
