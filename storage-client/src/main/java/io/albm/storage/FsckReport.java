// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;

/**
 * What is wrong with a storage.
 *
 * @param names names that were looked at, directories' included
 * @param segments segments that were looked at
 * @param blocks blocks that should be there
 * @param degradedStripes stripes that lack a unit, and can be read
 * @param lostStripes stripes that lack more units than they have parity for
 * @param orphans generations on nodes that no file and no write under way needs, counted per node
 * @param crowded segments of which a failure domain has more units than may be lost, if nodes are in several
 * @param unnamedInodes inodes without a name: files that somebody has open, and nothing else if all is well
 * @param unreachable nodes that did not answer, whose blocks count as lacking
 * @param damage what is wrong, one line each; at most {@value #MAX_DAMAGE}
 */
public record FsckReport(
        long names,
        long segments,
        long blocks,
        long degradedStripes,
        long lostStripes,
        long orphans,
        long crowded,
        long unnamedInodes,
        List<NodeId> unreachable,
        List<String> damage) {
    static final int MAX_DAMAGE = 1000;

    public FsckReport {
        unreachable = List.copyOf(unreachable);
        damage = List.copyOf(damage);
    }

    /** Whether everything is there, wherever it is. */
    public boolean whole() {
        return damage.isEmpty() && unreachable.isEmpty();
    }

    /** Whether there is nothing to repair. */
    public boolean clean() {
        return whole() && orphans == 0 && crowded == 0;
    }
}
