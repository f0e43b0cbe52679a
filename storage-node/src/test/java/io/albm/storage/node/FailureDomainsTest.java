// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.storage.FailureDomain;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.ScrubReport;
import io.albm.storage.Segment;
import io.albm.storage.StripedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Six nodes in three racks, n-1 and n-4 in the first: what the loss of a rack costs, and what commands about nodes make of racks. */
class FailureDomainsTest {
    private static final List<FailureDomain> RACKS =
            List.of(new FailureDomain("rack-1"), new FailureDomain("rack-2"), new FailureDomain("rack-3"));
    private static final Set<NodeId> NONE = Set.of();
    /** So many that each node has some that each other one of another rack has, too. */
    private static final int MANY = 60;

    @TempDir
    Path dir;

    private final Map<String, FailureDomain> nodes = new TreeMap<>();
    private final Map<String, byte[]> stored = new HashMap<>();
    private StorageRig rig;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 0);
        for (int i = 0; i < 6; i++) {
            join("n-" + (i + 1), RACKS.get(i % 3));
        }
        shell = new Shell(rig);
    }

    @AfterEach
    void close() throws IOException {
        shell.close();
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theLossOfAnyRackIsBorneAndFilesAreWrittenMeanwhile(int parityUnits) throws IOException {
        StripedStore store = rig.memberStore(StorageRig.SETTINGS.withParityUnits(parityUnits), NONE);
        store(store, 8);
        for (FailureDomain lost : RACKS) {
            lose(lost);
            assertRight(store);
            store(store, 4);
            assertRight(store);
            getBack(lost);
        }
        assertNotCrowded(store);
        for (FailureDomain lost : RACKS) {
            lose(lost);
            assertRight(store);
            getBack(lost);
        }
    }

    @Test
    void saysWhatNodesFailWith() {
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern("n-4 +serving +rack-1").hasLineCount(7);
        assertThat(shell.run("nodes", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(shell.text()).get(1).get("domain").asText()).isEqualTo("rack-2");
    }

    @Test
    void saysThatOneDomainIsNotEnough() throws IOException {
        nodes.keySet().forEach(node -> rig.moveNode(node, RACKS.getFirst()));
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).contains("all nodes are in one failure domain").hasLineCount(8);
        rig.memberStore(NONE).writeBytes("/a", content(5 * UNIT, 1), PutMode.CREATE);
        assertThat(shell.run("fsck")).as("what moving could not mend").isEqualTo(ExitCode.DONE);
    }

    @Test
    void retiresANodeAsLongAsNoDomainIsCrowded() throws IOException {
        StripedStore store = rig.memberStore(NONE);
        store(store, MANY);
        assertThat(shell.run("retire", "n-1")).isEqualTo(ExitCode.DONE);
        assertThat(rig.blockFiles("n-1")).isEmpty();
        assertNotCrowded(store);
        assertThat(shell.run("retire", "n-4")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors())
                .containsPattern(
                        "n-4 cannot be retired: \\d+ of its files would have more units in a failure domain than")
                .hasLineCount(1);
        join("n-7", new FailureDomain("rack-4"));
        assertThat(shell.run("retire", "n-4")).isEqualTo(ExitCode.DONE);
        assertNotCrowded(store);
        assertRight(store);
    }

    @Test
    void replacesANodeByOneThatCrowdsNoDomain() throws IOException {
        StripedStore store = rig.memberStore(NONE);
        store(store, MANY);
        join("n-7", RACKS.get(1));
        assertThat(shell.run("replace", "n-1", "n-7")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors())
                .containsPattern(
                        "n-1 cannot be replaced by n-7: \\d+ of its files would have more units in .* rack-2 than")
                .hasLineCount(1);
        assertThat(rig.blockFiles("n-7")).isEmpty();
        assertThat(shell.run("nodes")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text()).containsPattern("n-1 +serving");
        join("n-8", RACKS.get(0));
        assertThat(shell.run("replace", "n-1", "n-8")).isEqualTo(ExitCode.DONE);
        assertNotCrowded(store);
        assertRight(store);
    }

    @Test
    void aNodeThatJoinsCrowdsNoDomain() throws IOException {
        StripedStore store = rig.memberStore(NONE);
        store(store, MANY);
        join("n-7", RACKS.get(2));
        assertThat(shell.run("add-node", "n-7")).isEqualTo(ExitCode.DONE);
        assertThat(rig.blockFiles("n-7")).isNotEmpty();
        assertNotCrowded(store);
        assertRight(store);
    }

    /** A unit that is lost is better in a rack that has one already than nowhere. */
    @Test
    void rebuildsWhatARackHadInTheOthersAndSaysThatTheyAreCrowded() throws IOException {
        StripedStore store = rig.memberStore(NONE);
        store(store, MANY);
        rig.loseNode("n-2");
        rig.loseNode("n-5");
        assertThat(shell.run("rebuild", "n-2", "--onto", "n-3")).isEqualTo(ExitCode.REFUSED);
        for (String lost : List.of("n-2", "n-5")) {
            assertThat(shell.run("rebuild", lost)).isEqualTo(ExitCode.DONE);
            assertThat(shell.text())
                    .containsPattern("\\d+ segments have more units in a failure domain than may be lost");
        }
        join("n-7", RACKS.get(1));
        assertThat(shell.run("fsck", "--repair")).isEqualTo(ExitCode.DONE);
        assertNotCrowded(store);
        rig.stopNode("n-3");
        rig.stopNode("n-6");
        assertRight(store);
    }

    /** Three nodes are in the first rack then, so that of some stripes two units have to move. */
    @Test
    void fsckFindsWhatIsCrowdedSinceNodesWereMovedAndSpreadsIt() throws IOException {
        StripedStore store = rig.memberStore(NONE);
        store(store, MANY);
        assertThat(shell.run("fsck")).isEqualTo(ExitCode.DONE);
        move("n-2", RACKS.get(0));
        move("n-3", RACKS.get(0));
        move("n-4", RACKS.get(1));
        assertThat(shell.run("fsck")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text())
                .containsPattern("\\d+ segments have more units in a failure domain than may be lost")
                .endsWith("CROWDED\n");
        assertThat(shell.run("fsck", "--json")).isEqualTo(ExitCode.DEGRADED);
        assertThat(Json.tree(shell.text()).get("crowded").asInt()).isPositive();
        assertThat(shell.run("fsck", "--repair")).isEqualTo(ExitCode.DONE);
        assertThat(shell.text())
                .contains(" 0 stripes degraded, 0 lost, 0 orphans")
                .endsWith("clean\n");
        assertNotCrowded(store);
        lose(RACKS.get(0));
        assertRight(store);
    }

    /** Files of 2 + 1 units cannot be spread over two racks. */
    @Test
    void spreadsWhatItCanAndSaysWhyNotTheRest() throws IOException {
        StripedStore store = rig.memberStore(NONE);
        store(store, MANY);
        List.of("n-2", "n-5").forEach(node -> move(node, RACKS.get(0)));
        ScrubReport spread = store.spread(progress -> {});
        assertThat(spread.repaired())
                .as("copies, which two racks are enough for")
                .isPositive();
        assertThat(spread.failures())
                .isNotEmpty()
                .allMatch(failure -> failure.contains("failure domain rack-1 has more units than may be lost"));
        assertThat(shell.run("fsck", "--repair")).isEqualTo(ExitCode.DEGRADED);
        assertThat(shell.text()).endsWith("CROWDED\n");
        assertRight(store);
    }

    private void move(String node, FailureDomain domain) {
        nodes.put(node, domain);
        rig.moveNode(node, domain);
    }

    private void join(String node, FailureDomain domain) throws IOException {
        nodes.put(node, domain);
        rig.joinNode(node, domain);
    }

    private List<String> nodesOf(FailureDomain domain) {
        return nodes.keySet().stream()
                .filter(node -> domain.equals(nodes.get(node)))
                .toList();
    }

    private void lose(FailureDomain domain) {
        nodesOf(domain).forEach(rig::stopNode);
    }

    private void getBack(FailureDomain domain) throws IOException {
        for (String node : nodesOf(domain)) {
            rig.startNode(node);
            rig.moveNode(node, domain);
        }
    }

    /** Files of several stripes, and every fourth of one unit. */
    private void store(StripedStore store, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] content = content(stored.size() % 4 == 0 ? UNIT : 5 * UNIT + 7, stored.size());
            String path = "/" + stored.size();
            store.writeBytes(path, content, PutMode.CREATE);
            stored.put(path, content);
        }
    }

    private void assertRight(StripedStore store) throws IOException {
        for (Map.Entry<String, byte[]> file : stored.entrySet()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            store.readFile(file.getKey(), out);
            assertThat(out.toByteArray()).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    private void assertNotCrowded(StripedStore store) throws IOException {
        for (FileInfo file : store.list("/")) {
            for (Segment segment : file.content().segments()) {
                assertThat(segment.nodes().stream()
                                .collect(Collectors.groupingBy(node -> nodes.get(node.value()), Collectors.counting()))
                                .values())
                        .as("units of %s by domain", file.path())
                        .allMatch(units -> units <= segment.geometry().parityUnits());
            }
        }
    }
}
