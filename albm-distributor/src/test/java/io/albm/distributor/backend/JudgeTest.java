// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.distributor.backend.Judge.Seen;
import io.albm.distributor.routing.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private static final ProtectionSettings SETTINGS = ProtectionSettings.DEFAULT;
    private static final Health UP = new Health.Up();
    private static final Health SILENT = new Health.Down("connection refused", false, 0);
    private static final Health ILL = new Health.Down("health check answered 500", true, 0);
    private static final Standing FULL = new Standing.Serving(1);

    private final Judge judge = new Judge(SETTINGS);
    private long now;

    @Test
    void whoIsWellServes() {
        assertThat(judge(seen("a", UP), seen("b", new Health.Unproven())))
                .containsOnly(Map.entry("a", FULL), Map.entry("b", FULL));
    }

    @Test
    void nobodysGoodWordOverridesABadOne() {
        Map<String, Standing> standings = judge(
                seen("well", UP),
                seen("also-well", UP),
                seen("down", SILENT),
                new Seen("drained", UP, "an operator said so", new Answers()),
                new Seen("failing", UP, null, failing()));

        assertThat(of(standings, "well").takesRequests()).isTrue();
        assertThat(standings.get("down")).isEqualTo(new Standing.Down("connection refused"));
        assertThat(standings.get("drained")).isEqualTo(new Standing.Draining("an operator said so"));
        assertThat(standings.get("failing")).isInstanceOf(Standing.Ejected.class);
    }

    @Test
    void panicsWhenTooFewAreLeftAndShowsIt() {
        Map<String, Standing> standings = judge(seen("a", UP), seen("b", ILL), seen("c", ILL), seen("d", ILL));

        assertThat(standings.get("a")).isEqualTo(FULL);
        assertThat(standings.get("b"))
                .isEqualTo(new Standing.Panicking(new Standing.Down("health check answered 500")));
    }

    @Test
    void whoDoesNotAnswerIsLeftOutEvenInPanic() {
        Map<String, Standing> standings = judge(seen("a", ILL), seen("b", SILENT));

        assertThat(of(standings, "a").takesRequests()).isTrue();
        assertThat(of(standings, "b").takesRequests()).isFalse();
    }

    @Test
    void whoIsDrainedIsLeftOutEvenInPanicAndIsNoReasonForIt() {
        Answers none = new Answers();
        Map<String, Standing> standings = judge(
                seen("a", UP),
                new Seen("b", UP, "an operator said so", none),
                new Seen("c", UP, "an operator said so", none),
                new Seen("d", UP, "an operator said so", none),
                seen("e", ILL));

        assertThat(of(standings, "b").takesRequests()).isFalse();
        assertThat(of(standings, "e").takesRequests()).isFalse();
    }

    @Test
    void oneOfThreeLeftIsNoPanic() {
        Map<String, Standing> standings = judge(seen("a", UP), seen("b", ILL), seen("c", SILENT));

        assertThat(of(standings, "b").takesRequests()).isFalse();
    }

    @Test
    void whoComesBackTakesAGrowingShare() {
        judge(seen("a", UP), seen("b", SILENT));

        assertThat(judge(seen("a", UP), seen("b", UP)).get("b")).isEqualTo(new Standing.Serving(0.1));
        now += SETTINGS.slowStart().toNanos() / 2;
        assertThat(judge(seen("a", UP), seen("b", UP)).get("b")).isEqualTo(new Standing.Serving(0.5));
        now += SETTINGS.slowStart().toNanos() / 2;
        assertThat(judge(seen("a", UP), seen("b", UP)).get("b")).isEqualTo(FULL);
    }

    @Test
    void whoJoinsOthersTakesAGrowingShareAndTheFirstAllAtOnce() {
        assertThat(judge(seen("a", UP)).get("a")).isEqualTo(FULL);

        assertThat(of(judge(seen("a", UP), seen("b", UP)), "b").share()).isEqualTo(0.1);
    }

    @Test
    void withoutSlowStartTheFullShareComesAtOnce() {
        var impatient = new Judge(new ProtectionSettings(
                5,
                0.3,
                20,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                0.3,
                0.3,
                Duration.ZERO));
        impatient.judge(List.of(seen("a", UP)), now);

        assertThat(impatient.judge(List.of(seen("a", UP), seen("b", UP)), now).get("b"))
                .isEqualTo(FULL);
    }

    private Map<String, Standing> judge(Seen... seen) {
        return judge.judge(new ArrayList<>(List.of(seen)), now);
    }

    private static Standing of(Map<String, Standing> standings, String id) {
        return Objects.requireNonNull(standings.get(id));
    }

    private static Seen seen(String id, Health health) {
        return new Seen(id, health, null, new Answers());
    }

    private static Answers failing() {
        Answers answers = new Answers();
        for (int i = 0; i < SETTINGS.failuresInARow(); i++) {
            answers.count(Outcome.FAILED);
        }
        return answers;
    }
}
