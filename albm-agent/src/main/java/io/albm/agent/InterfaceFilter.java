// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcText;
import java.util.List;

/** Which network interfaces count. Every one but loopback, unless names are given: exactly those then. */
public final class InterfaceFilter {
    private static final byte[] LOOPBACK = label("lo");

    private final byte[][] names;

    private InterfaceFilter(byte[][] names) {
        this.names = names;
    }

    static InterfaceFilter allButLoopback() {
        return new InterfaceFilter(new byte[0][]);
    }

    /** Exactly the named ones; every one but loopback if {@code names} is empty. */
    static InterfaceFilter of(List<String> names) {
        return new InterfaceFilter(names.stream().map(ProcText::label).toArray(byte[][]::new));
    }

    /** Whether the interface whose name stands in {@code text} from {@code start} to {@code end} counts. */
    boolean counts(ProcText text, int start, int end) {
        if (names.length == 0) {
            return !is(LOOPBACK, text, start, end);
        }
        for (byte[] name : names) {
            if (is(name, text, start, end)) {
                return true;
            }
        }
        return false;
    }

    private static boolean is(byte[] name, ProcText text, int start, int end) {
        return end - start == name.length && text.startsWith(name, start);
    }
}
