// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CreditTest {
    private static final long START = 1000;

    private final Credit credit = new Credit(100);

    @Test
    void isUsedUpToWhatWasGranted() {
        credit.add(10, START);
        credit.add(5, START + 1);
        assertThat(credit.use(16)).isFalse();
        assertThat(credit.use(12)).isTrue();
        assertThat(credit.bytes()).isEqualTo(3);
        assertThat(credit.use(4)).isFalse();
        assertThat(credit.use(3)).isTrue();
        assertThat(credit.bytes()).isZero();
    }

    @Test
    void endsPieceByPiece() {
        credit.add(10, START);
        credit.add(5, START + 60);
        assertThat(credit.expire(START + 99)).isZero();
        assertThat(credit.expire(START + 100)).isEqualTo(10);
        assertThat(credit.bytes()).isEqualTo(5);
        assertThat(credit.clear()).isEqualTo(5);
        assertThat(credit.use(1)).isFalse();
    }

    @Test
    void isUsedOldestFirst() {
        credit.add(10, START);
        credit.add(5, START + 60);
        assertThat(credit.use(8)).isTrue();
        assertThat(credit.expire(START + 100)).isEqualTo(2);
        assertThat(credit.bytes()).isEqualTo(5);
    }

    @Test
    void isTakenByBlocksOfAnySize() {
        assertThat(Credit.cost(0)).isEqualTo(Credit.LEAST_COST);
        assertThat(Credit.cost(Credit.LEAST_COST + 1)).isEqualTo(Credit.LEAST_COST + 1);
        assertThat(Credit.cost(StripeGeometry.MAX_UNIT_BYTES)).isEqualTo(StripeGeometry.MAX_UNIT_BYTES);
    }
}
