// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.RendezvousPlacement.Candidate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How wide stripes are over failure domains of all kinds, and which nodes they and copies lie on. */
class DomainSpreadTest {
    private static final int CLUSTERS = 3000;

    private final Random random = new Random(11);

    /** @param sizes nodes of each domain */
    @ParameterizedTest
    @CsvSource({
        "2 2 2,       1, 2",
        "2 2 2,       2, 4",
        "5 5,         1, 1",
        "5 5,         2, 2",
        "1 1 1 1 1,   1, 4",
        "9 9 9 9 9 9, 1, 4",
        "9 9 9 9,     1, 3",
        "9 9 9 9,     2, 4",
        "5 1,         1, 1",
        "5 1,         2, 1",
        "5,           1, 4",
        "4,           1, 3",
        "3 3,         0, 4",
        "6,           0, 4"
    })
    void stripesAreAsWideAsNodesAndDomainsAllow(String sizes, int parityUnits, int dataUnits) throws StorageException {
        List<Candidate> nodes = Domains.sized(
                List.of(sizes.split(" ")).stream().map(Integer::valueOf).toList());
        assertThat(geometry(nodes, parityUnits))
                .extracting(StripeGeometry::dataUnits)
                .isEqualTo(dataUnits);
    }

    @Test
    void tooFewNodesAreTooFewWhateverTheirDomains() {
        assertThatExceptionOfType(StorageException.TooFewNodes.class)
                .isThrownBy(() -> geometry(Domains.sized(List.of(1, 1)), 2))
                .withMessageContaining("2 nodes alive, expected at least 3");
    }

    @Test
    void noDomainHasMoreUnitsThanMayBeLostAndAsManyDomainsAsThereAreHaveOne() throws StorageException {
        for (int i = 0; i < CLUSTERS; i++) {
            Placed placed = Placed.any(random);
            Map<FailureDomain, Long> units = placed.count(placed.layout().nodes());
            int parityUnits = placed.layout().geometry().parityUnits();
            int domains = Domains.count(placed.cluster());
            assertThat(units)
                    .as(placed.toString())
                    .hasSize(Math.min(domains, placed.layout().geometry().width()));
            if (parityUnits > 0 && domains > 1) {
                assertThat(units.values()).as(placed.toString()).allMatch(count -> count <= parityUnits);
            }
            assertEven(units, placed.cluster());
        }
    }

    /** A domain that has fewer units than another one, by more than one, has no more nodes. */
    private static void assertEven(Map<FailureDomain, Long> units, List<Candidate> nodes) {
        long most = units.values().stream().mapToLong(Long::longValue).max().orElse(0);
        Map<FailureDomain, Long> sizes =
                nodes.stream().collect(Collectors.groupingBy(Candidate::domain, Collectors.counting()));
        sizes.forEach((domain, size) -> assertThat(units.getOrDefault(domain, 0L))
                .as("units in %s of %s", domain, units)
                .isGreaterThanOrEqualTo(Math.min(size, most - 1)));
    }

    @Test
    void aStripeCouldNotBeWiderByOne() throws StorageException {
        for (int i = 0; i < CLUSTERS; i++) {
            Placed placed = Placed.any(random);
            List<Candidate> cluster = placed.cluster();
            int parityUnits = placed.layout().geometry().parityUnits();
            long room = parityUnits == 0 || Domains.count(cluster) == 1
                    ? cluster.size()
                    : placed.count(cluster.stream().map(Candidate::node).toList()).values().stream()
                            .mapToLong(size -> Math.min(size, parityUnits))
                            .sum();
            assertThat((long) placed.layout().geometry().width())
                    .as(placed.toString())
                    .isEqualTo(Math.min(room, 4 + parityUnits));
        }
    }

    @Test
    void copiesAreInAsManyDomainsAsThereAre() throws StorageException {
        for (int i = 0; i < CLUSTERS; i++) {
            Placed placed = Placed.any(random);
            List<NodeId> copies =
                    placed.layout().copied(Domains.of(placed.cluster())).nodes();
            assertThat(copies).hasSize(placed.layout().geometry().parityUnits() + 1);
            assertThat(placed.count(copies))
                    .as("copies of %s", placed)
                    .hasSize(Math.min(copies.size(), Domains.count(placed.cluster())));
        }
    }

    /** A segment on the nodes that a cluster gives it. */
    private record Placed(List<Candidate> cluster, StripeLayout layout) {
        static Placed any(Random random) throws StorageException {
            int parityUnits = random.nextInt(3);
            List<Candidate> cluster = Domains.random(random, parityUnits + 1);
            StripeGeometry geometry = geometry(cluster, parityUnits);
            return new Placed(
                    cluster,
                    new StripeLayout(
                            geometry,
                            RendezvousPlacement.choose(Generation.random(random), cluster, geometry.width())));
        }

        Map<FailureDomain, Long> count(Collection<NodeId> nodes) {
            return nodes.stream().collect(Collectors.groupingBy(Domains.of(cluster), Collectors.counting()));
        }
    }

    @Test
    void aSegmentIsCrowdedByTheUnitsBeyondThoseThatMayBeLost() {
        Function<NodeId, FailureDomain> domains = Domains.of(Domains.sized(List.of(4, 2)));
        List<NodeId> six =
                IntStream.range(0, 6).mapToObj(i -> new NodeId("n-" + i)).toList();
        assertThat(DomainSpread.crowd(segment(5, 1, six), domains)).isEqualTo(3 + 1);
        assertThat(DomainSpread.crowd(segment(4, 2, six), domains)).isEqualTo(2);
        assertThat(DomainSpread.crowd(segment(6, 0, six), domains)).isZero();
        assertThat(DomainSpread.crowd(segment(1, 1, List.of(six.get(0), six.get(5))), domains))
                .isZero();
    }

    private static Segment segment(int dataUnits, int parityUnits, List<NodeId> nodes) {
        return new Segment(
                new Generation(1, 2).toString(), 1, new StripeGeometry(dataUnits, parityUnits, 65_536), nodes);
    }

    private static StripeGeometry geometry(List<Candidate> nodes, int parityUnits) throws StorageException {
        return StripeSettings.DEFAULT.geometry(nodes, parityUnits);
    }
}
