// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SceneTest {
    @Test
    void theIdealIsTheWiresTimeWithHeads() {
        Scene onePort = new Scene(1, 100, 64, Load.NONE, 20_000_000, 1);
        assertThat(onePort.idealSeconds()).isCloseTo(26.77, within(0.01));
        Scene allToAll = new Scene(16, 25, 64, Load.NONE, 2_000_000, 1);
        assertThat(allToAll.idealSeconds()).isCloseTo(0.627, within(0.001));
    }

    @Test
    void nodesAreOnHostsOfTheirOwnOrOnAllOfTheRanks() {
        Scene four = new Scene(4, 100, 64, Load.NONE, 1 << 20, 1);
        assertThat(four.storageHosts()).containsExactly(17, 18, 19, 20);
        assertThat(four.bystander()).isEqualTo(21);
        Scene all = new Scene(16, 25, 64, Load.NONE, 1 << 20, 1);
        assertThat(all.storageHosts()).hasSize(16).startsWith(1).endsWith(16);
        assertThat(all.bystander()).isEqualTo(17);
        assertThat(all.shape().hosts()).isEqualTo(17);
    }

    @Test
    void unitsAreAMebibyteUnlessAFileWouldLieOnFewPorts() {
        assertThat(new Scene(1, 100, 64, Load.NONE, 20 << 20, 1).unitBytes()).isEqualTo(1 << 20);
        assertThat(new Scene(16, 25, 64, Load.NONE, 8 << 20, 1).unitBytes()).isEqualTo(128 << 10);
        assertThat(new Scene(16, 25, 64, Load.NONE, 1, 1).unitBytes()).isEqualTo(64 << 10);
    }

    @Test
    void thePlanHasTheWholeGridAndTwentyMegabytesOnlyWhereThePaperHasThem() {
        assertThat(StripePlan.full().scenes())
                .hasSize(3 * 3 * 4)
                .filteredOn(scene -> scene.rankBytes() == 20 << 20)
                .singleElement()
                .satisfies(scene -> assertThat(scene.load()).isEqualTo(Load.NONE));
    }
}
