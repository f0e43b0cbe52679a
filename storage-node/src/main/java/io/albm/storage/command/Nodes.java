// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeId;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.TreeSet;

/** Storage nodes as commands name them. */
final class Nodes {
    private Nodes() {}

    /** The node of that name, which must be a member of the cluster now. */
    static NodeId alive(String name, StripedStore store) {
        NodeId node = new NodeId(name);
        if (!store.nodes().contains(node)) {
            throw none(name, "", store);
        }
        return node;
    }

    /** The node of that name, which is a member of the cluster or is gone and has something of a file. */
    static NodeId aliveOrMissed(String name, StripedStore store) throws IOException {
        NodeId node = new NodeId(name);
        if (!store.nodes().contains(node)
                && store.list("/").stream().noneMatch(file -> file.nodes().contains(node))) {
            throw none(name, ", and no file has anything there", store);
        }
        return node;
    }

    private static CliException none(String name, String besides, StripedStore store) {
        return new CliException(
                ExitCode.FAILED,
                name + ": no storage node of that name is alive" + besides + ", expected one of "
                        + new TreeSet<>(store.nodes()) + "; 'albm run storage-node --id " + name + "' starts it");
    }
}
