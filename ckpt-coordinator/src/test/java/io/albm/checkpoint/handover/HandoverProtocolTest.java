// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandoverProtocolTest {
    private final List<String> done = new ArrayList<>();
    private HandoverProtocol rank = new HandoverProtocol(-1, false, new Effects());

    @Test
    void takesPartFromItsFirstStateAndOffersTheNewest() {
        rank.begin();
        assertThat(done).isEmpty();
        takes(0, 100, 200);
        assertThat(done).containsExactly("join", "drop 0", "drop 100");
        rank.hold(1);
        rank.save(1, 200, "f", false);
        assertThat(done).endsWith("at 1 199", "save 1 200 f");
    }

    @Test
    void keepsWhatTheFarthestRankMayWantAndSavesItWhenTold() {
        takes(100);
        rank.hold(1);
        takes(200, 300);
        rank.save(1, 200, "f", false);
        assertThat(done).containsExactly("join", "at 1 99", "save 1 200 f", "drop 100");
        takes(400);
        rank.saved(1);
        assertThat(done).as("200 was kept while it was saved").endsWith("drop 300", "drop 200");
    }

    @Test
    void waitsForItsOwnStateOfTheCommonStep() {
        takes(100);
        rank.hold(1);
        rank.save(1, 300, "f", false);
        takes(200);
        assertThat(rank.isWanted()).isTrue();
        assertThat(rank.wantedStep()).hasValue(300);
        assertThat(done).noneMatch(what -> what.startsWith("save"));
        takes(300);
        assertThat(done).endsWith("save 1 300 f", "drop 200");
    }

    @Test
    void failsAtOnceWhenItWentPastTheCommonStep() {
        takes(100);
        rank.hold(1);
        rank.save(1, 150, "f", false);
        takes(200);
        assertThat(done).anyMatch(what -> what.startsWith("fail 1 step 150 is wanted") && what.contains("is at 200"));
        assertThat(rank.isWanted()).isFalse();
    }

    @Test
    void keepsABoundedNumberWhileTheCommonStepIsChosenAndSaysSoAtTheBound() {
        takes(1);
        rank.hold(1);
        for (int step = 2; step <= HandoverProtocol.MOST_KEPT + 2; step++) {
            takes(step);
        }
        assertThat(done).endsWith("drop 1", "drop 2");
        rank.save(1, 2, "f", false);
        assertThat(done)
                .contains("fail 1 step 2 is not kept any more: " + HandoverProtocol.MOST_KEPT
                        + " newer ones came before all ranks had answered");
    }

    @Test
    void takesNoPartWhileItHasNothingNew() {
        takes(100);
        completes(1, 100);
        assertThat(done).endsWith("leave");
        takes(200);
        assertThat(done).endsWith("join", "drop 100");
        rank.hold(2);
        takes(300);
        rank.save(2, 200, "f", false);
        rank.saved(2);
        rank.durable(2);
        assertThat(done).as("300 is new").containsOnlyOnce("leave").endsWith("save 2 200 f", "drop 200");
    }

    @Test
    void savesTheSameStateAgainIfTheCheckpointWasGivenUp() {
        takes(100);
        rank.hold(1);
        rank.save(1, 100, "f", false);
        rank.saved(1);
        rank.release(1);
        rank.hold(2);
        assertThat(done).endsWith("at 2 99").doesNotContain("leave");
    }

    @Test
    void staysForTheEndOfAHaltedJob() {
        takes(100);
        rank.hold(1);
        rank.save(1, 100, "f", true);
        rank.saved(1);
        rank.durable(1);
        rank.exit();
        assertThat(done).endsWith("save 1 100 f", "end");
        assertThat(rank.isEnding()).isTrue();
    }

    @Test
    void asksAProgramWithACommandAndOffersOnlyWhatCameAfterwards() {
        rank = new HandoverProtocol(-1, true, new Effects());
        rank.begin();
        rank.hold(1);
        assertThat(rank.isWanted()).isTrue();
        takes(1);
        rank.save(1, 1, "f", false);
        rank.saved(1);
        rank.durable(1);
        rank.hold(2);
        assertThat(done).containsExactly("join", "request 1", "at 1 0", "save 1 1 f", "request 2");
        rank.failed(2, "no room");
        assertThat(done).endsWith("fail 2 no room");
    }

    @Test
    void aProgramThatLooksAtTheEndpointCanBeAskedAtAnyTime() {
        rank.asks();
        rank.hold(1);
        assertThat(rank.isWanted()).isTrue();
        takes(7);
        completes(1, 7);
        rank.hold(2);
        assertThat(done).containsExactly("join", "at 1 6", "save 1 7 f");
        assertThat(rank.isWanted()).isTrue();
    }

    @Test
    void saysForWhatACheckpointWaitedThatWasGivenUp() {
        takes(100);
        rank.hold(1);
        rank.save(1, 300, "f", false);
        rank.release(1);
        assertThat(done)
                .contains(
                        "note checkpoint 1 was given up while it waited for step 300 of this rank, whose newest is 100");
    }

    @Test
    void stepsRiseAlsoAboveTheOneThatItGoesOnFrom() {
        rank = new HandoverProtocol(500, false, new Effects());
        assertThat(rank.accepts(500)).isFalse();
        takes(600);
        assertThat(rank.accepts(600)).isFalse();
        assertThat(rank.accepts(601)).isTrue();
    }

    private void takes(long... steps) {
        for (long step : steps) {
            assertThat(rank.accepts(step)).isTrue();
            rank.taken(step);
        }
    }

    /** A checkpoint of this step, held or to be held, becomes complete. */
    private void completes(long checkpoint, long step) {
        if (!done.contains("at " + checkpoint + " " + (step - 1))) {
            rank.hold(checkpoint);
        }
        rank.save(checkpoint, step, "f", false);
        rank.saved(checkpoint);
        rank.durable(checkpoint);
    }

    private final class Effects implements HandoverProtocol.Effects {
        @Override
        public boolean join() {
            return done.add("join");
        }

        @Override
        public void leave() {
            done.add("leave");
        }

        @Override
        public void at(long checkpoint, long begun) {
            done.add("at " + checkpoint + " " + begun);
        }

        @Override
        public void save(long checkpoint, long step, String file) {
            done.add("save " + checkpoint + " " + step + " " + file);
        }

        @Override
        public void fail(long checkpoint, String reason) {
            done.add("fail " + checkpoint + " " + reason);
        }

        @Override
        public void request(long checkpoint) {
            done.add("request " + checkpoint);
        }

        @Override
        public void cancelRequest() {}

        @Override
        public void drop(long step) {
            done.add("drop " + step);
        }

        @Override
        public void end() {
            done.add("end");
        }

        @Override
        public void note(String text) {
            done.add("note " + text);
        }
    }
}
