// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.report.BenchReport.Target;
import java.util.List;

/**
 * A bar; what counts is the least ratio of its measures.
 *
 * @param target as in the report
 * @param peer whom we are compared with
 * @param bar least of ours over the peer's
 */
record StorageTarget(String target, List<Measure> measures, String peer, double bar) {
    /** Our mount before a node was killed, in the same round. */
    static final String ALL_NODES = "albm with all nodes";

    /** A file behind one TCP connection, see {@link TcpDisk}. */
    static final String TCP_DISK = "tcp-disk";

    private static final List<Measure> CREATE = List.of(Measure.CREATE_1, Measure.CREATE_4);
    private static final List<Measure> REMOVE = List.of(Measure.REMOVE_1, Measure.REMOVE_4);

    /** All of them, in the order of the report. */
    static final List<StorageTarget> ALL = List.of(
            new StorageTarget("write-vs-disperse", List.of(Measure.WRITE), Gluster.DISPERSE, 2.0),
            new StorageTarget("read-vs-shard", List.of(Measure.READ), Gluster.SHARD, 1.0),
            new StorageTarget("read-vs-disperse", List.of(Measure.READ), Gluster.DISPERSE, 1.5),
            new StorageTarget("create-vs-moosefs", CREATE, MooseFs.NAME, 1.0),
            new StorageTarget("create-vs-disperse", CREATE, Gluster.DISPERSE, 10),
            new StorageTarget("create-vs-nfs", List.of(Measure.CREATE_4), Ganesha.NAME, 1.0),
            new StorageTarget("remove-vs-moosefs", REMOVE, MooseFs.NAME, 1.0),
            new StorageTarget("degraded-read", List.of(Measure.DEGRADED_READ), ALL_NODES, 0.5),
            new StorageTarget("client-write", List.of(Measure.CLIENT_WRITE), TCP_DISK, 0.8),
            new StorageTarget("client-read", List.of(Measure.CLIENT_READ), TCP_DISK, 0.8));

    StorageTarget {
        measures = List.copyOf(measures);
    }

    /** Whether the bar was reached; missed, with the reason, if one of its measures has no figure. */
    Target judge(Figures figures) {
        return figures.judge(target, measures, peer, bar);
    }
}
