// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import java.util.regex.Pattern;

/**
 * The name of one process of the cluster, unique among the processes of its role.
 *
 * @param value 1 to 63 characters of a-z, 0-9 and '-', starting with a letter or digit: safe as a host name, a file
 *     name and a ZooKeeper path element
 */
public record NodeId(String value) implements Comparable<NodeId> {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    public NodeId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("node id '" + value
                    + "': expected 1 to 63 characters of a-z, 0-9 and '-', starting with a letter or digit");
        }
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
