// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeId;
import io.albm.storage.StripedStore;
import java.util.TreeSet;

/** Storage nodes as commands name them. */
final class Nodes {
    private Nodes() {}

    /** The node of that name, which must be a member of the cluster now. */
    static NodeId alive(String name, StripedStore store) {
        NodeId node = new NodeId(name);
        if (!store.nodes().contains(node)) {
            throw new CliException(
                    ExitCode.FAILED,
                    name + ": no storage node of that name is alive, expected one of " + new TreeSet<>(store.nodes())
                            + "; 'albm run storage-node --id " + name + "' starts it");
        }
        return node;
    }
}
