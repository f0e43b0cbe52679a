// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.core.node.NodeAddress;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * Which storage a URI means: {@code albm://[CLUSTER@]HOST:PORT[,HOST:PORT...]/path}.
 *
 * @param cluster the name of the cluster; {@code albm} unless the URI says another
 * @param zooKeeper the cluster's ZooKeeper servers, as everywhere
 */
record ClusterUri(String cluster, String zooKeeper) {
    static final String SCHEME = "albm";
    private static final String USUAL_CLUSTER = "albm";

    /** @throws IllegalArgumentException if the URI names no storage */
    static ClusterUri of(URI uri) {
        String authority = uri.getAuthority();
        require(SCHEME.equalsIgnoreCase(uri.getScheme()), uri, "its scheme is not albm");
        require(authority != null, uri, "it names no server");
        require(uri.getQuery() == null && uri.getFragment() == null, uri, "it has a query or a fragment");
        int at = authority.lastIndexOf('@');
        String cluster = at < 0 ? USUAL_CLUSTER : authority.substring(0, at);
        String servers = authority.substring(at + 1);
        try {
            for (String server : servers.split(",", -1)) {
                NodeAddress.parse(server);
            }
        } catch (IllegalArgumentException wrong) {
            throw refused(uri, String.valueOf(wrong.getMessage()));
        }
        return new ClusterUri(cluster, servers);
    }

    private static void require(boolean condition, URI uri, String otherwise) {
        if (!condition) {
            throw refused(uri, otherwise);
        }
    }

    private static IllegalArgumentException refused(URI uri, String reason) {
        return new IllegalArgumentException("URI '" + uri + "': " + reason
                + "; expected albm://[CLUSTER@]HOST:PORT[,HOST:PORT...]/path with the cluster's ZooKeeper servers");
    }

    /** The URI of an absolute path in this storage. */
    URI of(String path) {
        String authority = cluster.equals(USUAL_CLUSTER) ? zooKeeper : cluster + "@" + zooKeeper;
        try {
            return new URI(SCHEME, authority, path, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no URI for " + path + " in " + this, e);
        }
    }

    @Override
    public String toString() {
        return of("/").toString();
    }
}
