// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

/** Where the cluster's live settings say that a server is drained: while its scope holds anything. */
final class DrainMark {
    static final String SINCE = "since";

    private DrainMark() {}

    static String scope(String id) {
        return "drain/" + id;
    }
}
