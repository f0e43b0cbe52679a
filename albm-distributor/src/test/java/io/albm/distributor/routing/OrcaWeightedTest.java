// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static io.albm.distributor.routing.Views.idle;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.OrcaReport;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Backends that report themselves; hosts' agents are asked in the simulation. */
class OrcaWeightedTest {
    private static final int PICKS = 12_000;

    private final Views views = new Views(ReliefSettings.DEFAULT);
    private final RandomGenerator random = new SplittableRandom(1);
    private final RoutingPolicy policy = RoutingPolicies.create("orca-weighted");
    private final List<BackendView> backends = List.of(idle("a"), idle("b"), idle("c"));

    private static OrcaReport report(double application, double cpu, double rate, double errors) {
        return new OrcaReport(cpu, Double.NaN, application, rate, errors);
    }

    /** Lets some say something about themselves once a second. */
    private int[] after(Duration time, OrcaReport... reports) {
        for (long second = 0; second < time.toSeconds(); second++) {
            RoutingView view = views.advance(Duration.ofSeconds(1)).of(backends);
            for (int i = 0; i < reports.length; i++) {
                backends.get(i).load().feels(reports[i], view.nowNanos());
            }
            policy.rotate(view);
        }
        return shares();
    }

    private int[] shares() {
        Rotation rotation = policy.rotate(views.of(backends));
        var shares = new int[backends.size()];
        for (int i = 0; i < PICKS; i++) {
            shares[rotation.pick(Request.PLAIN, random)]++;
        }
        return shares;
    }

    private static void assertEven(int[] shares) {
        for (int share : shares) {
            assertThat(share).isBetween(PICKS / 3 - 200, PICKS / 3 + 200);
        }
    }

    @Test
    void weighsByRequestsPerUtilizationAndGivesTheMedianToWhoSaysNothing() {
        int[] shares = after(Duration.ofSeconds(15), report(0.2, 0.9, 40, 0), report(0.4, 0.1, 40, 0));

        // weights 200, 100 and, of the median, 200
        assertThat(shares[1]).isBetween(PICKS / 5 - 300, PICKS / 5 + 300);
        assertThat(shares[0]).isBetween(2 * PICKS / 5 - 300, 2 * PICKS / 5 + 300);
    }

    @Test
    void takesTheProcessorWhereTheApplicationSaysNothingAndCountsErrors() {
        int[] shares = after(
                Duration.ofSeconds(15),
                report(Double.NaN, 0.5, 100, 0),
                report(Double.NaN, 0.5, 100, 50),
                report(Double.NaN, 0.5, 100, 0));

        // half of the requests of b fail: 100 / (0.5 + 0.5)
        assertThat(shares[1]).isBetween(PICKS / 5 - 300, PICKS / 5 + 300);
    }

    @Test
    void givesNoWeightWithinTheBlackoutNorToAReportWithoutRateOrUtilization() {
        assertEven(after(Duration.ofSeconds(9), report(0.1, 0, 40, 0), report(0.9, 0, 40, 0), report(0.9, 0, 40, 0)));
        assertEven(after(Duration.ofSeconds(15), report(0.1, 0, 40, 0), report(0.9, 0, 0, 0), report(0, 0, 40, 0)));
    }

    @Test
    void forgetsWhatWasSaidTooLongAgo() {
        OrcaReport[] reports = {report(0.1, 0, 40, 0), report(0.9, 0, 40, 0), report(0.9, 0, 40, 0)};
        assertThat(after(Duration.ofSeconds(15), reports)[0]).isGreaterThan(PICKS / 2);

        views.advance(Duration.ofSeconds(179));
        assertThat(shares()[0]).isGreaterThan(PICKS / 2);
        views.advance(Duration.ofSeconds(2));
        assertEven(shares());
    }
}
