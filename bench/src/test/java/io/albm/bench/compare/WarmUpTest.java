// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int REQUESTS = 1_000;

    @Test
    void endsWhenTwoWindowsInARowGainNothing() throws IOException {
        assertThat(windows(cost(90), cost(60), cost(40), cost(39.5), cost(39.4), cost(39)))
                .isEqualTo(5);
        assertThat(windows(cost(40), cost(40), cost(30), cost(30), cost(30), cost(30)))
                .as("a gain begins anew")
                .isEqualTo(5);
        assertThat(windows(cost(40), cost(50), cost(39.5)))
                .as("noise is no gain")
                .isEqualTo(3);
    }

    @Test
    void goesOnWhileCompilersAreBusyThoughTheCostIsSteady() throws IOException {
        assertThat(windows(cost(40), compiling(40), compiling(40), cost(40), cost(40), cost(40)))
                .isEqualTo(5);
    }

    @Test
    void endsAfterTheLongestTime() throws IOException {
        var cost = new double[] {1 << 30};
        Duration took = new WarmUp()
                .run(
                        () -> {
                            cost[0] /= 1.1;
                            return cost(cost[0]);
                        },
                        LONGEST);
        assertThat(took).isEqualTo(LONGEST);
    }

    private static long windows(WarmUp.Window... windows) throws IOException {
        Iterator<WarmUp.Window> next = List.of(windows).iterator();
        return new WarmUp().run(next::next, LONGEST).dividedBy(WarmUp.WINDOW);
    }

    private static WarmUp.Window cost(double micros) {
        return new WarmUp.Window(REQUESTS, Duration.ofNanos((long) (micros * 1e3 * REQUESTS)), Duration.ZERO);
    }

    private static WarmUp.Window compiling(double micros) {
        WarmUp.Window window = cost(micros);
        return new WarmUp.Window(REQUESTS, window.cpu(), window.cpu().dividedBy(10));
    }
}
