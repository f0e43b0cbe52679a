// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureDomainTest {
    @ParameterizedTest
    @ValueSource(strings = {"r", "rack-7", "eu.rack_7", "7"})
    void isAName(String name) {
        assertThat(new FailureDomain(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Rack-7", "rack 7", "-7", "a/b"})
    void refusesWhatIsNoName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FailureDomain(name))
                .withMessageContainingAll("failure domain '" + name + "'", "such as rack-7");
    }

    @Test
    void canBeANodeByItself() {
        String longest = "n".repeat(63);
        assertThat(FailureDomain.of(new NodeId(longest))).hasToString(longest);
    }

    @Test
    void isTextInJson() {
        assertThat(Json.text(new FailureDomain("rack-7"))).isEqualTo("\"rack-7\"");
    }
}
