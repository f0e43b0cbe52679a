// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.source.Coding;
import io.albm.cache.source.DocumentPath;
import org.junit.jupiter.api.Test;

class NegotiationTest {

    private final Negotiation negotiation = new Negotiation(() -> 0);

    @Test
    void remembersWhatIsAbsentUnlessItsNameIsLong() {
        DocumentPath plain = new DocumentPath("/a.txt", Coding.GZIP);
        DocumentPath endless = new DocumentPath("/" + "a".repeat(256), Coding.GZIP);
        negotiation.isAbsent(plain);
        negotiation.isAbsent(endless);
        assertThat(negotiation.wasAbsent(plain)).isTrue();
        assertThat(negotiation.wasAbsent(endless)).isFalse();
    }
}
