// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.Head;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The fields of a head that is in use: a view, valid for as long as the head is. */
record HeadFields(Head head) implements Fields {

    @Override
    public List<String> all(String name) {
        List<String> values = List.of();
        for (int line = 0; line < head.count(); line++) {
            if (isNamed(line, name)) {
                values = values.isEmpty() ? new ArrayList<>(1) : values;
                values.add(value(line));
            }
        }
        return values;
    }

    @Override
    public boolean has(String name) {
        for (int line = 0; line < head.count(); line++) {
            if (isNamed(line, name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void forEach(BiConsumer<String, String> each) {
        for (int line = 0; line < head.count(); line++) {
            each.accept(head.text(head.nameStart(line), head.nameEnd(line)), value(line));
        }
    }

    private String value(int line) {
        return head.text(head.valueStart(line), head.valueEnd(line));
    }

    private boolean isNamed(int line, String name) {
        int start = head.nameStart(line);
        if (head.nameEnd(line) - start != name.length()) {
            return false;
        }
        byte[] bytes = head.bytes();
        for (int i = 0; i < name.length(); i++) {
            if (lower(bytes[start + i]) != lower(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(int letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
    }
}
