// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    @Test
    void eachOfManyLoopsHasOneRetryOfASmallBurst() {
        RetryBudget budget = RetryBudget.ofOne(16, 0.5, 10);
        assertThat(budget.withdraw()).isTrue();
        assertThat(budget.withdraw()).isFalse();
        budget.deposit();
        budget.deposit();
        assertThat(budget.withdraw()).isTrue();
    }

    @Test
    void aLargeBurstIsDividedAmongThem() {
        RetryBudget budget = RetryBudget.ofOne(4, 0.5, 10);
        assertThat(budget.withdraw()).isTrue();
        assertThat(budget.withdraw()).isTrue();
        assertThat(budget.withdraw()).isFalse();
    }

    @Test
    void withoutABurstNothingIsRetried() {
        RetryBudget budget = RetryBudget.ofOne(1, 1, 0);
        budget.deposit();
        assertThat(budget.withdraw()).isFalse();
    }
}
