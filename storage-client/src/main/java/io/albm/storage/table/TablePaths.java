// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.Role;
import java.util.regex.Pattern;

/**
 * Where the table lies in the coordination store.
 *
 * <pre>
 * /storage/home                               which store has the table: a {@link TableHome} in JSON
 * /storage/table/leader                       who leads: a {@link Leader} in JSON
 * /storage/table/state                        which snapshot holds: a {@link SnapshotPointer} in JSON
 * /storage/table/snapshot/&lt;name&gt;/&lt;chunk&gt;       a slice of its gzip'd lines
 * /storage/table/log/&lt;position&gt;               a batch: {@link LogEntry} in JSON, one per line
 * /storage/table/clients/&lt;client&gt;             ephemeral: a client's session
 * /storage/table/barrier                      written before a read that must not be old
 * </pre>
 */
final class TablePaths {
    static final String HOME = "/storage/home";
    static final String LEADER = "/storage/table/leader";
    static final String STATE = "/storage/table/state";
    static final String SNAPSHOTS = "/storage/table/snapshot";
    static final String LOG = "/storage/table/log";
    static final String CLIENTS = "/storage/table/clients";
    static final String BARRIER = "/storage/table/barrier";

    /** Of the storage nodes that are alive. */
    static final String MEMBERS = "/members/" + Role.STORAGE_NODE.id();

    private static final Pattern CLIENT = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    private TablePaths() {}

    static String batch(long position) {
        return LOG + "/" + number(position);
    }

    /** Sorts as the number does. */
    static String number(long position) {
        return "%016d".formatted(position);
    }

    static String chunk(String snapshot, int chunk) {
        return SNAPSHOTS + "/" + snapshot + "/" + "%06d".formatted(chunk);
    }

    static String client(String client) {
        return CLIENTS + "/" + client;
    }

    static void checkClient(String client) {
        if (!CLIENT.matcher(client).matches()) {
            throw new IllegalArgumentException("client '" + client
                    + "': expected 1 to 63 characters of a-z, 0-9 and '-', starting with a letter or digit");
        }
    }
}
