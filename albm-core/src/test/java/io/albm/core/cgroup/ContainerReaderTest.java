// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContainerReaderTest {
    private static final String V1_STAT = """
            inactive_file 1
            pgmajfault 1
            total_workingset_refault_file 77
            total_pgmajfault 12
            total_inactive_file 4096
            total_active_file 1024
            """;
    private static final String V2_STAT = """
            anon 1
            inactive_file 8192
            active_file 2048
            workingset_refault_file 5
            pgmajfault 3
            """;

    @TempDir
    Path root;

    @Test
    void readsV1() throws IOException {
        Path memory = v1Memory("9223372036854771712", "65536");
        Path cpu = Files.createDirectories(root.resolve("cpu/job"));
        Files.writeString(cpu.resolve("cpuacct.usage"), "123456789\n");
        try (ContainerReader reader = ContainerReader.open(groups(memory, cpu, null))) {
            ContainerCounters counters = reader.read();
            assertThat(counters.memoryUsageBytes()).isEqualTo(10000);
            assertThat(counters.memoryLimitBytes()).isEqualTo(65536);
            assertThat(counters.workingSetBytes()).isEqualTo(10000 - 4096);
            assertThat(counters.majorFaults()).isEqualTo(12);
            assertThat(counters.fileRefaults()).isEqualTo(77);
            assertThat(counters.cpuNanos()).isEqualTo(123456789);
            assertThat(counters.memoryPressure()).isNaN();
        }
    }

    @Test
    void readsV2() throws IOException {
        Path job = v2("max", "max");
        Files.writeString(job.resolve("cpu.stat"), "usage_usec 2500\nuser_usec 2000\n");
        Files.writeString(
                job.resolve("memory.pressure"),
                "some avg10=12.34 avg60=1.00 avg300=0.00 total=5\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=2\n");
        try (ContainerReader reader = ContainerReader.open(groups(job, job, job))) {
            ContainerCounters counters = reader.read();
            assertThat(counters.memoryLimitBytes()).isEqualTo(MemoryGroup.UNLIMITED);
            assertThat(counters.workingSetBytes()).isEqualTo(20000 - 8192);
            assertThat(counters.majorFaults()).isEqualTo(3);
            assertThat(counters.fileRefaults()).isEqualTo(5);
            assertThat(counters.cpuNanos()).isEqualTo(2_500_000);
            assertThat(counters.memoryPressure()).isEqualTo(0.1234);
        }
    }

    @Test
    void hybridReadsMemoryFromV1AndPressureFromV2() throws IOException {
        Path memory = v1Memory("65536", "65536");
        Path unified = Files.createDirectories(root.resolve("unified/job"));
        Files.writeString(unified.resolve("memory.pressure"), "some avg10=50.00 avg60=0.00 avg300=0.00 total=1\n");
        try (ContainerReader reader = ContainerReader.open(groups(memory, null, unified))) {
            ContainerCounters counters = reader.read();
            assertThat(counters.majorFaults()).isEqualTo(12);
            assertThat(counters.cpuNanos()).isZero();
            assertThat(counters.memoryPressure()).isEqualTo(0.5);
        }
    }

    @Test
    void theTightestLimitOfTheAncestorsHolds() throws IOException {
        try (MemoryGroup group = MemoryGroup.open(v2("30000", "50000"))) {
            assertThat(group.limitBytes()).isEqualTo(30000);
            assertThat(group.headroomBytes()).isEqualTo(30000 - (20000 - 8192 - 2048));
        }
    }

    @Test
    void headroomIsUnlimitedWithoutALimitAndNeverNegative() throws IOException {
        try (MemoryGroup group = MemoryGroup.open(v2("max", "max"))) {
            assertThat(group.headroomBytes()).isEqualTo(MemoryGroup.UNLIMITED);
        }
        try (MemoryGroup group = MemoryGroup.open(v2("max", "10"))) {
            assertThat(group.headroomBytes()).isZero();
        }
    }

    @Test
    void refusesADirectoryThatIsNoMemoryGroup() {
        assertThatThrownBy(() -> MemoryGroup.open(root))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no memory control group");
    }

    @Test
    void readsThisMachinesOwnGroup() throws IOException {
        ContainerGroups groups =
                CgroupLayout.ofThisMachine().groupsOf(ProcessHandle.current().pid());
        assumeTrue(groups.memory().filter(ContainerReaderTest::hasCounters).isPresent());
        try (ContainerReader reader = ContainerReader.open(groups)) {
            ContainerCounters counters = reader.read();
            assertThat(counters.memoryUsageBytes()).isPositive();
            assertThat(counters.workingSetBytes()).isBetween(0L, counters.memoryUsageBytes() + (1L << 30));
            assertThat(counters.memoryLimitBytes()).isPositive();
        }
    }

    @Test
    void theHeadroomOfAnAncestorThatItsOtherGroupsUseUpHolds() throws IOException {
        Path job = v2("100000", "50000");
        Files.writeString(job.resolveSibling("memory.current"), "99000\n");
        try (MemoryGroup group = MemoryGroup.open(job)) {
            assertThat(group.headroomBytes()).isEqualTo(100000 - (99000 - 8192 - 2048));
        }
    }

    @Test
    void theLevelAboveWhichTheKernelSlowsTasksDownIsALimit() throws IOException {
        Path job = v2("max", "50000");
        Files.writeString(job.resolve("memory.high"), "40000\n");
        try (MemoryGroup group = MemoryGroup.open(job)) {
            assertThat(group.limitBytes()).isEqualTo(40000);
        }
    }

    @Test
    void aParentWithoutHierarchyDoesNotBind() throws IOException {
        Path job = v1Memory("20000", "65536");
        Files.writeString(job.resolveSibling("memory.use_hierarchy"), "0\n");
        try (MemoryGroup group = MemoryGroup.open(job)) {
            assertThat(group.limitBytes()).isEqualTo(65536);
        }
        Files.writeString(job.resolveSibling("memory.use_hierarchy"), "1\n");
        try (MemoryGroup group = MemoryGroup.open(job)) {
            assertThat(group.limitBytes()).isEqualTo(20000);
        }
    }

    @Test
    void theTightestCpuLimitOfTheAncestorsHolds() throws IOException {
        Path job = v2("max", "max");
        for (Path group : List.of(job, job.getParent())) {
            Files.writeString(group.resolve("cpu.stat"), "usage_usec 7\n");
        }
        Files.writeString(job.resolve("cpu.max"), "max 100000\n");
        Files.writeString(job.resolveSibling("cpu.max"), "150000 100000\n");
        try (CpuGroup group = CpuGroup.open(groups(job, job, job))) {
            assertThat(group.limit()).isEqualTo(1.5);
            assertThat(group.levels().getFirst().limit()).isEqualTo(CpuLevel.UNLIMITED);
            assertThat(group.levels().getFirst().usageNanos()).isEqualTo(7000);
        }
    }

    @Test
    void readsTheCpuLimitOfV1FromTwoHierarchies() throws IOException {
        Path quota = Files.createDirectories(root.resolve("cpu/job"));
        Path accounting = Files.createDirectories(root.resolve("cpuacct/job"));
        Files.writeString(quota.resolve("cpu.cfs_quota_us"), "25000\n");
        Files.writeString(quota.resolve("cpu.cfs_period_us"), "100000\n");
        Files.writeString(accounting.resolve("cpuacct.usage"), "99\n");
        var groups =
                new ContainerGroups(Optional.empty(), Optional.of(accounting), Optional.of(quota), Optional.empty());
        try (CpuGroup group = CpuGroup.open(groups)) {
            assertThat(group.limit()).isEqualTo(0.25);
            assertThat(group.levels().getFirst().usageNanos()).isEqualTo(99);
            Files.writeString(quota.resolve("cpu.cfs_quota_us"), "-1\n");
            assertThat(group.limit()).isEqualTo(CpuLevel.UNLIMITED);
        }
    }

    private static ContainerGroups groups(Path memory, @Nullable Path cpu, @Nullable Path unified) {
        return new ContainerGroups(
                Optional.of(memory), Optional.ofNullable(cpu), Optional.ofNullable(cpu), Optional.ofNullable(unified));
    }

    private static boolean hasCounters(Path directory) {
        return Files.exists(directory.resolve("memory.usage_in_bytes"))
                || Files.exists(directory.resolve("memory.current"));
    }

    private Path v1Memory(String parentLimit, String limit) throws IOException {
        Path job = Files.createDirectories(root.resolve("memory/job"));
        Files.writeString(job.resolveSibling("memory.limit_in_bytes"), parentLimit + "\n");
        Files.writeString(job.resolve("memory.limit_in_bytes"), limit + "\n");
        for (Path group : List.of(job, job.getParent())) {
            Files.writeString(group.resolve("memory.usage_in_bytes"), "10000\n");
            Files.writeString(group.resolve("memory.stat"), V1_STAT);
        }
        return job;
    }

    private Path v2(String parentLimit, String limit) throws IOException {
        Path job = Files.createDirectories(root.resolve("v2/slice/job"));
        Files.writeString(job.resolveSibling("memory.max"), parentLimit + "\n");
        Files.writeString(job.resolve("memory.max"), limit + "\n");
        for (Path group : List.of(job, job.getParent())) {
            Files.writeString(group.resolve("memory.current"), "20000\n");
            Files.writeString(group.resolve("memory.stat"), V2_STAT);
        }
        return job;
    }
}
