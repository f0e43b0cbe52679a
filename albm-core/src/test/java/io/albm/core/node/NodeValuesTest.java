// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeValuesTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8080", "[::1]:80", "rack-1.example:0", "localhost:65535"})
    void addressReadsItsOwnText(String text) {
        assertThat(NodeAddress.parse(text)).hasToString(text);
    }

    @Test
    void addressKeepsHostWithoutBrackets() {
        assertThat(NodeAddress.parse("[fe80::1]:9")).isEqualTo(new NodeAddress("fe80::1", 9));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":80", "host", "host:", "host:x", "host:-1", "host:65536", "::1:80", "a b:1", "[]:1", "h/x:1"
            })
    void addressRefusesOtherForms(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeAddress.parse(text))
                .withMessageContaining("expected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache-1", "1", "a-", "x123456789012345678901234567890123456789012345678901234567890ab"})
    void idAcceptsHostNameLabels(String text) {
        assertThat(new NodeId(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "Cache",
                "a/b",
                "..",
                "a_b",
                "x123456789012345678901234567890123456789012345678901234567890abc"
            })
    void idRefusesWhatIsUnsafeInAPath(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new NodeId(text)).withMessageContaining("'" + text + "'");
    }

    @Test
    void everyRoleReadsItsOwnName() {
        assertThat(Role.values())
                .allSatisfy(role -> assertThat(Role.parse(role.id())).isSameAs(role));
    }

    @ParameterizedTest
    @CsvSource({"cache-sever,cache-server", "storage,storage-node"})
    void roleSuggestsTheNearest(String typed, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.parse(typed))
                .withMessageContaining("did you mean '" + meant + "'?");
    }
}
