// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;

/**
 * What a scrub or rebuild found and did.
 *
 * @param files files looked at
 * @param checked blocks looked at
 * @param missing blocks that their node did not have
 * @param corrupt blocks that did not match their checksum or could not be read
 * @param repaired blocks made again and written
 * @param repairedBytes their bytes
 * @param orphans generations removed from nodes because no file and no write under way needs them, counted per node
 * @param crowded segments of which a unit was put where a failure domain has more of them now than may be lost, for want of
 *     another
 * @param unreachable nodes whose blocks could not be looked at
 * @param failures what could not be repaired, one line each; at most {@value #MAX_FAILURES}
 */
public record ScrubReport(
        long files,
        long checked,
        long missing,
        long corrupt,
        long repaired,
        long repairedBytes,
        long orphans,
        long crowded,
        List<NodeId> unreachable,
        List<String> failures) {
    static final int MAX_FAILURES = 100;

    public ScrubReport {
        unreachable = List.copyOf(unreachable);
        failures = List.copyOf(failures);
    }

    /** Whether all blocks are where they should be, now: found good or made good. */
    public boolean whole() {
        return unreachable.isEmpty() && failures.isEmpty() && repaired == missing + corrupt;
    }

    /** Whether there was nothing to do either. */
    public boolean clean() {
        return whole() && repaired == 0 && orphans == 0;
    }
}
