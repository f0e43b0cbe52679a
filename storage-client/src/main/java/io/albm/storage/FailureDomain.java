// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonValue;
import io.albm.core.config.Key;
import io.albm.core.node.NodeId;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What takes all its nodes with it when it fails: a rack, a switch, a machine. A node that says nothing else is a
 * domain by itself, with its own name.
 *
 * @param value 1 to 63 characters of a-z, 0-9, '.', '_' and '-', starting with a letter or digit
 */
public record FailureDomain(@JsonValue String value) {
    /** What a name must look like. */
    public static final String EXPECTED =
            "1 to 63 characters of a-z, 0-9, '.', '_' and '-', starting with a letter or digit, such as rack-7";

    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

    public FailureDomain {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("failure domain '" + value + "': expected " + EXPECTED);
        }
    }

    /**
     * A role's configuration key for it.
     *
     * @param help what it is for
     */
    public static Key<Optional<FailureDomain>> key(String help) {
        return Key.of(
                "failure-domain",
                "NAME",
                EXPECTED + ", or nothing",
                "",
                help,
                text -> Optional.of(text.strip())
                        .filter(name -> !name.isEmpty())
                        .map(FailureDomain::new));
    }

    /** That of a node that is one by itself. */
    public static FailureDomain of(NodeId node) {
        return new FailureDomain(node.value());
    }

    @Override
    public String toString() {
        return value;
    }
}
