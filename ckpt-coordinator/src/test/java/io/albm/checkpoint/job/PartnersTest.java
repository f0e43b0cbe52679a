// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PartnersTest {
    @Test
    void thePartnerIsTheNextInTheRingOfNames() {
        assertThat(partners(Map.of(), "c", "a", "b")).isEqualTo(Map.of("a", "b", "b", "c", "c", "a"));
        assertThat(partners(Map.of(), "a", "b")).isEqualTo(Map.of("a", "b", "b", "a"));
    }

    @Test
    void aHostAloneHasNone() {
        assertThat(partners(Map.of(), "a")).isEmpty();
        assertThat(partners(Map.of())).isEmpty();
    }

    @Test
    void thePartnerFailsWithSomethingElseWhereThereIsSuchAHost() {
        Map<String, String> racks = Map.of("a", "r1", "b", "r1", "c", "r2", "d", "r2");
        assertThat(partners(racks, "a", "b", "c", "d")).isEqualTo(Map.of("a", "c", "b", "d", "c", "a", "d", "b"));
    }

    @Test
    void inOneFailureDomainItIsAnotherHostStill() {
        Map<String, String> rack = Map.of("a", "r1", "b", "r1", "c", "r1");
        assertThat(partners(rack, "a", "b", "c")).isEqualTo(Map.of("a", "b", "b", "c", "c", "a"));
    }

    @Test
    void noHostOfTheOtherDomainIsThePartnerOfMoreThanItMust() {
        Map<String, String> racks = Map.of("a", "r1", "b", "r1", "c", "r1", "d", "r1", "x", "r2", "y", "r2");
        Map<String, String> partners = partners(racks, "a", "b", "c", "d", "x", "y");
        assertThat(partners).containsKeys("a", "b", "c", "d", "x", "y");
        assertThat(List.of("a", "b", "c", "d")).map(partners::get).containsExactly("x", "y", "x", "y");
        assertThat(List.of("x", "y")).map(partners::get).doesNotHaveDuplicates().doesNotContain("x", "y");
    }

    private static Map<String, String> partners(Map<String, String> domains, String... hosts) {
        return Partners.of(new TreeSet<>(List.of(hosts)), host -> domains.getOrDefault(host, host));
    }
}
