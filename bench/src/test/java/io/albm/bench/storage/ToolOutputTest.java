// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cli.CliException;
import org.junit.jupiter.api.Test;

/** What tools say, as they said it. */
class ToolOutputTest {
    private static final String FIO = """
            note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1
            {
              "fio version" : "fio-3.33",
              "jobs" : [
                {
                  "jobname" : "random",
                  "error" : %d,
                  "read" : { "io_bytes" : 29331456, "bw" : 14314, "iops" : 3578.710645, "runtime" : 2001 },
                  "write" : { "io_bytes" : 0, "bw" : 0, "iops" : 0.000000, "runtime" : 0 }
                }
              ]
            }
            """;

    @Test
    void fiosRateIsRead() {
        assertThat(Fio.operationsPerSecond(FIO.formatted(0), "read")).isEqualTo(3578.710645);
    }

    @Test
    void anErrorInFiosReportIsNoRate() {
        assertThatThrownBy(() -> Fio.operationsPerSecond(FIO.formatted(5), "read"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("errno 5");
    }

    @Test
    void whatAFileSystemCannotDoIsSaidInWords() {
        assertThatThrownBy(() -> Fio.operationsPerSecond(FIO.formatted(95), "write"))
                .hasMessage("not supported (EOPNOTSUPP)");
    }

    @Test
    void noReportIsNoRate() {
        assertThatThrownBy(() -> Fio.operationsPerSecond("fio: no such engine", "read"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("no such engine");
    }

    @Test
    void noOperationIsNoRate() {
        assertThatThrownBy(() -> Fio.operationsPerSecond(FIO.formatted(0), "write"))
                .isInstanceOf(CliException.class);
    }

    @Test
    void aMountIsKnownByItsTypeAndItsPlace() {
        String mounted = "Type            Mounted on\nfuse.glusterfs  /run-1/mount\n";
        assertThat(Load.isMounted(mounted, "/run-1/mount")).isTrue();
        assertThat(Load.isMounted(mounted, "/run-1")).isFalse();
    }

    /** The daemon is gone and so is the mount: the directory is one of the disk below. */
    @Test
    void theDiskBelowIsNoMount() {
        assertThat(Load.isMounted("Type Mounted on\next4 /\n", "/run-1/mount")).isFalse();
        assertThat(Load.isMounted("Type Mounted on\next4 /run-1/mount\n", "/run-1/mount"))
                .isFalse();
    }

    @Test
    void chunkserversAreCountedWhenTheMasterKnowsAllOfThem() {
        String log = """
                mfsmaster[5]: csdb: found cs using ip:port and csid (10.77.0.1:9503,3)
                mfsmaster[5]: chunkserver register begin (packet version: 6) - ip: 10.77.0.1 / port: 9503
                mfsmaster[5]: chunkserver register end (packet version: 6) - ip: 10.77.0.1 / port: 9503
                mfsmaster[5]: chunkserver register begin (packet version: 6) - ip: 10.77.0.1 / port: 9504
                mfsmaster[5]: chunkserver register end (packet version: 6) - ip: 10.77.0.1 / port: 9504
                """;
        assertThat(MooseFs.registered(log)).isEqualTo(2);
    }
}
