// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class CgroupLayoutTest {
    private static final String V1 = """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct
            35 31 0:32 / /sys/fs/cgroup/memory rw,nosuid shared:10 - cgroup cgroup rw,memory
            """;
    private static final String V2 = """
            30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate
            """;
    private static final String HYBRID =
            V1 + "36 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:11 - cgroup2 cgroup2 rw\n";

    private static final String V1_MEMBERSHIP = "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n";
    private static final String HYBRID_MEMBERSHIP = V1_MEMBERSHIP + "0::/system.slice/docker-abc.scope\n";

    @Test
    void separateHierarchiesAreV1() {
        CgroupLayout layout = CgroupLayout.parse(V1);
        assertThat(layout.kind()).isEqualTo(CgroupLayout.Kind.V1);
        ContainerGroups groups = layout.groups(V1_MEMBERSHIP);
        assertThat(groups.memory()).contains(Path.of("/sys/fs/cgroup/memory/docker/abc"));
        assertThat(groups.cpu()).contains(Path.of("/sys/fs/cgroup/cpu,cpuacct/docker/abc"));
        assertThat(groups.unified()).isEmpty();
    }

    @Test
    void oneHierarchyIsV2() {
        CgroupLayout layout = CgroupLayout.parse(V2);
        Path expected = Path.of("/sys/fs/cgroup/system.slice/docker-abc.scope");
        assertThat(layout.kind()).isEqualTo(CgroupLayout.Kind.V2);
        ContainerGroups groups = layout.groups("0::/system.slice/docker-abc.scope\n");
        assertThat(groups.memory()).contains(expected);
        assertThat(groups.cpu()).contains(expected);
        assertThat(groups.unified()).contains(expected);
    }

    @Test
    void hybridTakesMemoryFromV1AndPressureFromV2() {
        CgroupLayout layout = CgroupLayout.parse(HYBRID);
        assertThat(layout.kind()).isEqualTo(CgroupLayout.Kind.HYBRID);
        ContainerGroups groups = layout.groups(HYBRID_MEMBERSHIP);
        assertThat(groups.memory()).contains(Path.of("/sys/fs/cgroup/memory/docker/abc"));
        assertThat(groups.unified()).contains(Path.of("/sys/fs/cgroup/unified/system.slice/docker-abc.scope"));
    }

    @Test
    void aMachineWithoutControlGroupsHasNone() {
        CgroupLayout layout = CgroupLayout.parse("22 27 0:21 / /proc rw,relatime - proc proc rw\n");
        assertThat(layout.kind()).isEqualTo(CgroupLayout.Kind.NONE);
        assertThat(layout.groups(HYBRID_MEMBERSHIP).memory()).isEmpty();
    }

    @Test
    void insideAContainerTheMountShowsOnlyItsOwnSubtree() {
        CgroupLayout layout = CgroupLayout.parse(
                "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n");
        assertThat(layout.groups("4:memory:/docker/abc/job\n").memory()).contains(Path.of("/sys/fs/cgroup/memory/job"));
        assertThat(layout.groups("4:memory:/docker/abc\n").memory()).contains(Path.of("/sys/fs/cgroup/memory"));
        assertThat(layout.groups("4:memory:/docker/other\n").memory()).isEmpty();
    }

    @Test
    void aGroupOutsideTheNamespaceIsNotResolved() {
        assertThat(CgroupLayout.parse(V2).groups("0::/../../init.scope\n").memory())
                .isEmpty();
    }

    @Test
    void readsMountPointsWithBlanks() {
        CgroupLayout layout = CgroupLayout.parse("35 31 0:32 / /mnt/my\\040groups rw - cgroup cgroup rw,memory\n");
        assertThat(layout.groups("4:memory:/a\n").memory()).contains(Path.of("/mnt/my groups/a"));
    }

    @Test
    void ignoresLinesItDoesNotUnderstand() {
        assertThat(CgroupLayout.parse("garbage\n - \n1 2 - cgroup\n").kind()).isEqualTo(CgroupLayout.Kind.NONE);
        assertThat(CgroupLayout.parse(V2).groups("garbage\n").memory()).isEmpty();
    }

    @Test
    void understandsThisMachine() throws IOException {
        CgroupLayout layout = CgroupLayout.ofThisMachine();
        ContainerGroups groups = layout.groupsOf(ProcessHandle.current().pid());
        assertThat(layout.kind() == CgroupLayout.Kind.NONE
                        || groups.memory().filter(Files::isDirectory).isPresent())
                .isTrue();
    }
}
